// SPDX-License-Identifier: Apache-2.0
// SimProgram: what `kinf watch -o json` adds to an informer: lines, and in some runs a recording or
// a state.
#pragma once

#include <memory>
#include <string>

#include "kinf/base/random.h"
#include "kinf/cli/runtime/exit_request.h"
#include "kinf/cli/runtime/file_writer.h"
#include "kinf/cli/watch/event_output.h"
#include "kinf/informer/informer_observer.h"
#include "kinf/informer/shared_informer.h"
#include "sim/printed_lines.h"
#include "sim/schedule.h"
#include "sim/storage.h"

namespace kinf::sim {

class SimProgram final : public InformerObserver {
 public:
  /// All references must outlive the program.
  SimProgram(const std::string& name, const Plan& plan, const Etcd& etcd, const Wire& wire,
             SimClock& clock, Verdict& verdict);
  ~SimProgram() override;

  /// Starts a run. `cached` is what the last run had in its cache. Returns what this run knows of
  /// it: without a storage, all of it.
  EarlierState start(EarlierState cached);
  /// Adds the handler that prints. Call it after SharedInformer::restore().
  void connect(SharedInformer& informer);
  /// Checks the new lines, and sometimes does what the thread of the storage would do now.
  void step();
  /// See PrintedLines.
  void lose_timeline() { lines_.lose_timeline(); }
  void find_timeline() { lines_.find_timeline(); }
  /// Kills the program; see Storage::crash().
  void crash(int writes);
  /// The power fails; see Storage::lose_power().
  void lose_power(bool lies, int number);
  void fill_disk(int writes);
  /// Ends the program after its informer.
  void finish();

  /// Returns the objects as the lines tell them.
  const State& shown() const { return lines_.shown(); }

  void on_delivered(const Delivered& delivered) override;
  void on_relisting(const Relisted& list) override;

 private:
  struct Process;

  SimClock& clock_;
  Verdict& verdict_;
  const bool has_bookmarks_;
  Random random_;
  PrintedLines lines_;
  std::unique_ptr<Storage> storage_;  ///< or null
  std::unique_ptr<Process> process_;  ///< null while the program does not run
};

}  // namespace kinf::sim
