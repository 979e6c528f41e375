// SPDX-License-Identifier: Apache-2.0
// RunController: the core of `kinf run`: a work queue of changed objects. Decides when to run,
// retry and give up the command of each object. Starts no process itself.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "kinf/cli/flags/run_flags.h"
#include "kinf/cli/run/pending_changes.h"
#include "kinf/workqueue/rate_limiting_queue.h"

namespace kinf {

/// An object and the change to run the command for.
struct RunItem {
  RunKey key;
  Change change;
  int retry = 0;  ///< number of failed runs of this change
};

/// Never runs two commands for one object at the same time. Changes during a run cause one more
/// run. Threads: any. Several workers may call work() at the same time.
class RunController {
 public:
  /// Runs the command. Returns why it failed, or nullopt.
  using Launch = std::function<std::optional<std::string>(const std::vector<RunItem>&)>;

  /// Calls `on_given_up` when the last retry of an object has failed. `name_types` adds the
  /// resource type to messages. `clock` must outlive this object.
  RunController(const RunLimits& limits, Clock& clock, PendingChanges::Matters matters,
                Launch launch, bool name_types, std::function<void()> on_given_up);

  /// Records a change from an informer and queues the object. A resync queues only objects that
  /// were given up.
  void changed(const RunKey& key, const Change& change);
  /// Marks the current state of an object as delivered, so that no command runs for it.
  void set_delivered(const RunKey& key, const Change& change);

  /// Waits for a queued object and processes it. Returns false on `stop`.
  bool work(const std::stop_token& stop);
  /// Like work(), but does not wait. Returns false if nothing is ready.
  bool try_work();

  /// Returns whether no command runs and nothing is pending, not even a retry.
  bool is_idle() { return queue_.is_idle(); }
  /// Returns whether the command has succeeded for the newest states of all objects.
  bool has_delivered_all() const { return objects_.has_delivered_all(); }
  /// Accepts no more objects and waits until no command runs. Returns false at `deadline`.
  bool drain(Clock::Mono deadline) { return queue_.shut_down_with_drain({}, deadline); }

 private:
  struct Times {
    std::optional<Clock::Mono> changed;
    std::optional<Clock::Mono> started;
    Clock::Mono retry_at{};
    std::optional<Change> failed;  ///< the change to retry at `retry_at`
  };

  void work_on(RunKey key);
  /// Returns what to run for the key now. Returns nullopt if nothing is pending or the run must
  /// wait.
  std::optional<RunItem> prepare(const RunKey& key);
  Clock::Mono earliest_locked(const RunKey& key, const Change& change) KINF_REQUIRES(mu_);
  void finish(const RunItem& item, const std::optional<std::string>& failure);
  /// Clears the failures of an item that succeeded or was given up.
  void forget(const RunItem& item);
  /// Schedules a retry. Returns false if no retries are left.
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
