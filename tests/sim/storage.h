// SPDX-License-Identifier: Apache-2.0
// Storage: what a simulated program keeps in a file: a recording (--record) or a state (--state).
// Checks the file after each end of the program.
#pragma once

#include <memory>
#include <string>

#include "kinf/api/event_handler.h"
#include "kinf/cli/event_output.h"
#include "kinf/recording/state_file.h"
#include "sim/documents.h"
#include "sim/sim_clock.h"
#include "sim/sim_disk.h"
#include "sim/verdict.h"

namespace kinf::sim {

/// What a Storage works with. All references must outlive it.
struct StorageSetup {
  std::string name;  ///< for messages
  bool red_only = false;
  SimClock& clock;
  Verdict& verdict;
};

/// A program opens its storage, passes what it receives through handler(), and ends by close() or
/// by crash().
class Storage {
 public:
  explicit Storage(StorageSetup setup) : setup_(std::move(setup)) {}
  virtual ~Storage() = default;
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  /// Opens the file. Returns what the program knows of its last run.
  EarlierState open();
  /// Returns the handler that gets the changes and passes them to `output`.
  virtual EventHandler& handler(EventHandler& output, EventOutput& printer) = 0;
  /// The informer has nothing left to deliver.
  virtual void idle() {}
  /// Does what the thread of the storage would do now. `printed` is what the lines show.
  void step(const State& printed);
  /// Saves everything.
  void close(const State& printed);
  /// The program is killed: at once, or during the N-th write of a last commit.
  void crash(int writes, const State& printed);
  /// From the N-th write on, the disk is full, until the program starts again.
  void fill_after(int writes) { disk_.fill_after(writes); }

 protected:
  virtual EarlierState open_file() = 0;
  /// Commits what is due, or, if `is_last`, everything.
  virtual void commit(bool is_last, const State& printed) = 0;
  virtual void drop() = 0;        ///< ends all connections to the file
  virtual void check_file() = 0;  ///< after the end of the program

  bool has_failed() const { return has_failed_; }
  void fail(const Error& error);
  RecordedScope scope() const;

  const StorageSetup setup_;
  SimDisk disk_;

 private:
  bool has_failed_ = false;
};

/// Checks that a recording has every change that reached it, in order: all that were committed, and
/// of later ones the first ones. Starts again as `kinf watch --record` does.
std::unique_ptr<Storage> make_recording_storage(StorageSetup setup);

/// Checks that a state has what was printed until one of the last two commits. The next run
/// continues from there, as `kinf watch --state` does.
std::unique_ptr<Storage> make_state_storage(StorageSetup setup);

}  // namespace kinf::sim
