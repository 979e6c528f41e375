// SPDX-License-Identifier: Apache-2.0
// Subject: one client under test: an informer of a factory with its handlers, a work queue with two
// workers, and the checks of its cache.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "kinf/informer/shared_informer.h"
#include "kinf/informer/shared_informer_factory.h"
#include "sim/schedule.h"
#include "sim/sim_handler.h"
#include "sim/sim_program.h"
#include "sim/sim_source.h"
#include "sim/sim_workers.h"

namespace kinf::sim {

class Subject {
 public:
  /// All references must outlive the subject.
  Subject(std::size_t number, const Plan& plan, const Etcd& etcd, Network& network, SimClock& clock,
          Verdict& verdict, Random& random);
  ~Subject();
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  /// Runs up to `count` steps of one part, and checks the cache after each.
  StepResult pump(StepPart part, int count);
  void work() { workers_.work(); }
  void add_handler(bool is_restored = false);
  /// Removes the oldest handler that was added later.
  void remove_handler();
  void set_busy(Clock::Duration busy);
  void poison(int calls) { poison_ = calls; }
  /// Kills the program, and starts it again with the objects that it knew; see SimProgram::crash().
  void crash(int writes);
  /// The same when the power fails; see SimProgram::lose_power().
  void lose_power(bool lies, int number);
  void fill_disk(int writes);
  /// etcd has gone back to a backup: the cache may differ until the next list.
  void note_restore() {
    is_astray_ = true;
    lose_timeline();
  }

  /// Returns whether nothing is left to do: the cache and all handlers have the state of etcd, and
  /// the work queue is empty. `why` says what is left.
  bool has_converged(std::string& why) const;
  /// Returns when a handler or an object of the work queue is ready; kNever if none waits.
  Clock::Mono next_event() const;
  /// The version from which the informer continues; 0 before its first list.
  std::uint32_t version() const;
  /// Checks that each handler gets its resyncs at its own period, between these two calls.
  void begin_resync_check();
  void check_resyncs(Clock::Duration elapsed);
  /// Stops the informer and checks what it counted.
  void finish();

 private:
  /// `cached` is what the cache of the last run had.
  void start(EarlierState cached);
  void restart();
  std::unique_ptr<ListerWatcher> make_source();
  InformerOptions options();
  HandlerPlan handler_plan();
  bool would_block() const;
  State cache() const;
  State wanted(std::uint32_t revision) const;
  void check_cache();
  void check_version();
  void check_state(std::uint32_t revision, const char* what);
  void check_index();
  void lose_timeline();
  void find_timeline();
  void check_bounds();
  void check_handlers();
  std::string difference(const State& got, const State& wanted) const;
  Version stored(std::string_view key) const;

  const std::size_t number_;
  const Plan& plan_;
  const Etcd& etcd_;
  Network& network_;
  SimClock& clock_;
  Verdict& verdict_;
  Random& random_;
  const bool strict_;
  Wire wire_;
  int poison_ = 0;
  int made_handlers_ = 0;
  Clock::Duration busy_{};
  bool is_astray_ = false;
  bool is_lost_ = false;      ///< lines and changes may be of a timeline that etcd has left
  bool has_removed_ = false;  ///< a handler was removed with changes that it has not seen
  std::uint32_t newest_ = 0;  ///< the highest version of the cache
  SimWorkers workers_;
  std::vector<std::unique_ptr<SimHandler>> handlers_;
  std::vector<std::size_t> resyncs_;     ///< of each handler, at begin_resync_check()
  std::unique_ptr<SimProgram> program_;  ///< null with Behaviour::client_go, which no command uses
  std::unique_ptr<SharedInformerFactory> factory_;
  SharedInformer* informer_ = nullptr;
};

}  // namespace kinf::sim
