// SPDX-License-Identifier: Apache-2.0
// RunController: the heart of `kinf run`: a work queue of changed objects, and what becomes of
// each: when its command is run, whether again, and when it is given up. Starts no process itself.
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
  std::string item;
  ToldChange change;
  int retry = 0;  ///< how often this has been tried before
};

/// Never runs two commands for one object at once; what changes meanwhile causes one more run.
/// Threads: the handlers and work() from any thread, any number of workers.
class RunController {
 public:
  /// Runs the command; why it failed, or nothing.
  using Launch = std::function<std::optional<std::string>(const std::vector<RunItem>&)>;
  /// How an object is called in messages.
  using NameOf = std::function<std::string(const std::string& item)>;

  /// `on_given_up` is called when a command has failed for good. `clock` outlives this.
  RunController(const RunLimits& limits, Clock& clock, PendingChanges::Matters matters,
                Launch launch, NameOf name_of, std::function<void()> on_given_up);

  void added(const std::string& item, const AddEvent& event);
  void updated(const std::string& item, const UpdateEvent& event);
  void deleted(const std::string& item, const DeleteEvent& event);
  /// The object is there, and nobody is to be told.
  void set_delivered(const std::string& item, const ObjectPtr& object);

  /// Waits for work and does one piece of it; false on `stop`.
  bool work(const std::stop_token& stop);
  /// The same without waiting: false if there is nothing to do now.
  bool try_work();

  /// No work waits but retries, and nothing runs.
  bool is_idle();
  /// Takes no more work and waits until nothing runs; false at `deadline`.
  bool drain(Clock::Mono deadline) { return queue_.shut_down_with_drain({}, deadline); }

 private:
  struct Times {
    std::optional<Clock::Mono> changed;
    std::optional<Clock::Mono> started;
    Clock::Mono retry_at{};
    std::optional<ToldChange> failed;  ///< what is to be tried again at that time
  };

  void note_change(const std::string& item);
  void work_on(std::string item);
  /// What to run for the item now; otherwise its work is done, or put off.
  std::optional<RunItem> prepare(const std::string& item);
  Clock::Mono earliest_locked(const std::string& item, const ToldChange& change) KINF_REQUIRES(mu_);
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
  PendingChanges objects_;
  RateLimitingQueue queue_;
  mutable Mutex mu_;
  std::unordered_map<std::string, Times> times_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
