// SPDX-License-Identifier: Apache-2.0
#include "sim/seeds.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "kinf/base/sync.h"

namespace kinf::sim {
namespace {

/// A run that is too short would prove less than it claims.
void check_size(std::uint64_t seed, const Outcome& outcome) {
  if (outcome.broken || (outcome.steps >= kLeastSteps && outcome.faults >= kLeastFaults)) return;
  fmt::print(stderr, "seed {} took {} steps and {} faults\n", seed, outcome.steps, outcome.faults);
  std::abort();
}

class Seeds {
 public:
  explicit Seeds(const SeedsOptions& options) : options_(options), next_(options.first) {}

  SeedsReport run() {
    {
      std::vector<std::jthread> threads;
      for (unsigned i = 0; i < std::max(options_.jobs, 1U); ++i) {
        threads.emplace_back([this] { work(); });
      }
    }
    MutexLock lock(mu_);
    return report_;
  }

 private:
  void work() {
    const std::uint64_t end = options_.first + options_.count;
    for (std::uint64_t seed = next_.fetch_add(1); seed < end; seed = next_.fetch_add(1)) {
      const Schedule schedule = schedule_of(seed);
      const Outcome outcome = run_schedule(schedule);
      check_size(seed, outcome);
      add(schedule.plan, outcome);
    }
  }

  void add(const Plan& plan, const Outcome& outcome) {
    const auto storage = static_cast<StorageKind>(plan.storage);
    MutexLock lock(mu_);
    report_.steps += outcome.steps;
    report_.faults += outcome.faults;
    report_.recordings += storage == StorageKind::recording ? 1 : 0;
    report_.states += storage == StorageKind::state ? 1 : 0;
    report_.slowest_recovery = std::max(report_.slowest_recovery, outcome.converged_in);
    if (!outcome.broken) {
      ++report_.passed;
      return;
    }
    ++report_.failed;
    report_.first_failed = std::min(report_.first_failed.value_or(plan.seed), plan.seed);
    fmt::print("seed {}: {}\n", plan.seed, *outcome.broken);
    std::fflush(stdout);
    if (options_.stops_at_failure) next_ = options_.first + options_.count;
  }

  const SeedsOptions options_;
  std::atomic<std::uint64_t> next_;
  Mutex mu_;
  SeedsReport report_ KINF_GUARDED_BY(mu_);
};

}  // namespace

SeedsReport run_seeds(const SeedsOptions& options) { return Seeds(options).run(); }

std::string promise_of(const std::string& broken) { return broken.substr(0, broken.find(':')); }

}  // namespace kinf::sim
