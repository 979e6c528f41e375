// SPDX-License-Identifier: Apache-2.0
// RunController: the core of `kinf run`: a work queue of changed objects. Decides when the command
// of each object runs, whether it is retried, and when it is given up. Starts no process itself.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "kinf/cli/command_line.h"
#include "kinf/cli/pending_changes.h"
#include "kinf/workqueue/rate_limiting_queue.h"

namespace kinf {

/// One object of a run.
struct RunItem {
  RunKey key;
  Change change;
  int retry = 0;  ///< failed runs of this change so far
};

/// Never runs two commands for one object at the same time; changes meanwhile cause one more run.
/// Threads: the handlers and work() from any thread, any number of workers.
class RunController {
 public:
  /// Runs the command; returns why it failed, or nothing.
  using Launch = std::function<std::optional<std::string>(const std::vector<RunItem>&)>;

  /// `on_given_up` is called when an object is given up after its last retry. `clock` outlives
  /// this.
  RunController(const RunLimits& limits, Clock& clock, PendingChanges::Matters matters,
                Launch launch, bool name_types, std::function<void()> on_given_up);

  /// Takes a change from an informer.
  void changed(const RunKey& key, const Change& change);
  /// The object exists, and no command is run for its current state.
  void set_delivered(const RunKey& key, const Change& change);

  /// Waits for work and does one piece of it; false on `stop`.
  bool work(const std::stop_token& stop);
  /// The same without waiting: false if there is nothing to do now.
  bool try_work();

  /// Nothing runs, and only retries wait.
  bool is_idle();
  /// Takes no more work and waits until nothing runs; false at `deadline`.
  bool drain(Clock::Mono deadline) { return queue_.shut_down_with_drain({}, deadline); }

 private:
  struct Times {
    std::optional<Clock::Mono> changed;
    std::optional<Clock::Mono> started;
    Clock::Mono retry_at{};
    std::optional<Change> failed;  ///< what is to be tried again at that time
  };

  void work_on(RunKey key);
  /// What to run for the key now. Nothing if its work is done, or put off.
  std::optional<RunItem> prepare(const RunKey& key);
  Clock::Mono earliest_locked(const RunKey& key, const Change& change) KINF_REQUIRES(mu_);
  void finish(const RunItem& item, const std::optional<std::string>& failure);
  /// Forgets the failures of an item that succeeded or was given up.
  void forget(const RunItem& item);
  /// False if it is given up.
  bool retry_later(const RunItem& item, const std::string& failure);

  const RunLimits limits_;
  Clock& clock_;
  const Launch launch_;
  const bool name_types_;
  const std::function<void()> on_given_up_;
  PendingChanges objects_;
  TypedRateLimitingQueue<RunKey> queue_;
  mutable Mutex mu_;
  std::unordered_map<RunKey, Times> times_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
