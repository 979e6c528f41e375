// SPDX-License-Identifier: Apache-2.0
// Storage: what a simulated program keeps in a file: a recording (--record) or a state (--state).
// Checks the file after each end of the program.
#pragma once

#include <memory>
#include <string>

#include "kinf/api/event_handler.h"
#include "kinf/cli/watch/event_output.h"
#include "kinf/informer/informer_observer.h"
#include "kinf/recording/state/state_file.h"
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

/// A program opens its storage, passes what it receives through handler(), and ends by close(), by
/// crash() or by lose_power().
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
  /// The informer has delivered what arrived until `arrived`.
  virtual void delivered(Clock::Wall arrived) { (void)arrived; }
  /// A list has replaced the watch of the informer. Its changes follow.
  virtual void relisting(const Relisted& list) { (void)list; }
  /// Does what the thread of the storage would do now. `printed` is what the lines show.
  void step(const State& printed);
  /// Saves everything. A power failure after it loses nothing.
  void close(const State& printed);
  /// The program is killed: at once, or during the N-th write of a last commit.
  void crash(int writes, const State& printed);
  /// The power fails; see SimDisk::fail_power(). `number` also decides whether that interrupts a
  /// last commit. A disk that `lies` may leave a damaged file. Then the user deletes it.
  void lose_power(bool lies, int number, const State& printed);
  /// From the N-th write on, the disk is full, until the program starts again.
  void fill_after(int writes) { disk_.fill_after(writes); }

 protected:
  virtual EarlierState open_file() = 0;
  /// Commits what is due, or, if `is_last`, everything.
  virtual void commit(bool is_last, const State& printed) = 0;
  virtual void drop() = 0;  ///< ends all connections to the file
  /// The program has ended. After a power failure, the file may have an older commit, but none from
  /// before the last checkpoint.
  virtual void check_file(bool power_failed) = 0;
  virtual void checkpointed() = 0;  ///< all commits are durable
  /// The file may be damaged in any way. Returns whether kinf can go on with it: it is as after an
  /// earlier commit.
  virtual bool check_damage() = 0;
  /// The file was deleted.
  virtual void forget() = 0;

  bool has_failed() const { return has_failed_; }
  void fail(const Error& error);
  /// A command that fails says why.
  void check_message(const Error& error);
  RecordedScope scope() const;

  const StorageSetup setup_;
  SimDisk disk_;

 private:
  void kill(int writes, const State& printed);
  void note_checkpoints();

  bool has_failed_ = false;
  std::uint64_t checkpoints_ = 0;
};

/// Checks that a recording has every change that reached it, in order: all that were committed, or,
/// after a power failure, that a checkpoint made durable, and of later ones the first ones. Starts
/// again as `kinf watch --record` does.
std::unique_ptr<Storage> make_recording_storage(StorageSetup setup);

/// Checks that a state has what was printed until one of the last two commits, or, after a power
/// failure, until one since the last checkpoint. The next run
/// continues from there, as `kinf watch --state` does.
std::unique_ptr<Storage> make_state_storage(StorageSetup setup);

}  // namespace kinf::sim
