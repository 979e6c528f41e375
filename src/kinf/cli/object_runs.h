// SPDX-License-Identifier: Apache-2.0
// ObjectRuns: the heart of `kinf run`: a work queue of changed objects, and what becomes of each:
// when its command is run, whether again, and when it is given up. Starts no process itself.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "kinf/cli/changed_objects.h"
#include "kinf/cli/run_limits.h"
#include "kinf/workqueue/rate_limiting_queue.h"

namespace kinf {

/// One object of a run.
struct RunItem {
  std::string item;
  Change change;
  int retry = 0;  ///< how often this has been tried before
};

/// Never runs two commands for one object at once; what changes meanwhile causes one more run.
/// Threads: the handlers and work() from any thread, any number of workers.
class ObjectRuns {
 public:
  /// Runs the command; why it failed, or nothing.
  using Launch = std::function<std::optional<std::string>(const std::vector<RunItem>&)>;
  /// How an object is called in messages.
  using NameOf = std::function<std::string(const std::string& item)>;

  /// `on_given_up` is called when a command has failed for good. `clock` outlives this.
  ObjectRuns(const RunLimits& limits, Clock& clock, ChangedObjects::Matters matters, Launch launch,
             NameOf name_of, std::function<void()> on_given_up);

  /// Takes a change from an informer.
  void changed(const std::string& item, const Change& change);
  /// The object is there, and no command is run for it.
  void take_as_told(const std::string& item, const Change& change);

  /// Waits for work and does one piece of it; false on `stop`.
  bool work(const std::stop_token& stop);
  /// The same without waiting: false if there is nothing to do now.
  bool try_work();

  /// No work waits but retries, and nothing runs.
  bool is_idle();
  /// Nothing is taken any more.
  void begin_drain() { queue_.begin_drain(); }
  /// After begin_drain(): nothing runs any more.
  bool is_drained() const { return queue_.is_drained(); }

 private:
  struct Times {
    std::optional<Clock::Mono> changed;
    std::optional<Clock::Mono> started;
    Clock::Mono retry_at{};
    std::optional<Change> failed;  ///< what is to be tried again at that time
  };

  void work_on(std::string item);
  /// What to run for the item now; otherwise its work is done, or put off.
  std::optional<RunItem> prepare(const std::string& item);
  Clock::Mono earliest_locked(const std::string& item, const Change& change) KINF_REQUIRES(mu_);
  void finish(const RunItem& item, const std::optional<std::string>& failure);
  /// The item owes nothing any more.
  void forget(const RunItem& item);
  /// False if it is given up.
  bool retry_later(const RunItem& item, const std::string& failure);

  const RunLimits limits_;
  Clock& clock_;
  const Launch launch_;
  const NameOf name_of_;
  const std::function<void()> on_given_up_;
  ChangedObjects objects_;
  RateLimitingQueue queue_;
  mutable Mutex mu_;
  std::unordered_map<std::string, Times> times_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
