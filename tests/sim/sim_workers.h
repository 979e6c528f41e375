// SPDX-License-Identifier: Apache-2.0
// SimWorkers: the work queue of a simulated controller, with two workers that sometimes fail.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/random.h"
#include "kinf/workqueue/rate_limiting_queue.h"
#include "sim/etcd.h"
#include "sim/schedule.h"
#include "sim/sim_clock.h"
#include "sim/verdict.h"

namespace kinf::sim {

class SimWorkers {
 public:
  /// `stored` returns the version of an object in the cache. All references must outlive this.
  SimWorkers(const Plan& plan, SimClock& clock, Verdict& verdict, Random& random,
             std::function<Version(std::string_view key)> stored);

  RateLimitingQueue& queue() { return *queue_; }
  /// The program starts again: the queue is empty.
  void restart();
  /// One of the workers takes an object, or is done with the one that it has.
  void work();
  /// Returns when an object may be ready; kNever if none waits.
  Clock::Mono next_event() const;
  bool is_idle() const { return queue_->is_idle(); }
  /// Returns the version of each object that was worked on last.
  const State& worked() const { return worked_; }
  /// Ends the queue, and checks that it then takes nothing more.
  void finish();

 private:
  struct Worker {
    std::optional<std::string> key;
    Version version{};  ///< of the object when the work began
  };

  void take(Worker& worker);
  void retry(const std::string& key);

  const Plan& plan_;
  SimClock& clock_;
  Verdict& verdict_;
  Random& random_;
  const std::function<Version(std::string_view key)> stored_;
  std::unique_ptr<RateLimitingQueue> queue_;
  std::vector<Worker> workers_{2};
  State worked_{};
};

}  // namespace kinf::sim
