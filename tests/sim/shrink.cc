// SPDX-License-Identifier: Apache-2.0
#include "sim/shrink.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace kinf::sim {
namespace {

class Shrinker {
 public:
  Shrinker(Schedule failing, const StillFails& still_fails, std::size_t most_runs)
      : best_(std::move(failing)), still_fails_(still_fails), runs_left_(most_runs) {}

  Schedule shrink() {
    bool shorter = true;
    while (shorter && runs_left_ > 0) {
      shorter = drop_steps();
      shorter = simplify_plan() || shorter;
      shorter = lower_numbers() || shorter;
    }
    return std::move(best_);
  }

 private:
  bool accept(Schedule candidate) {
    if (runs_left_ == 0) return false;
    --runs_left_;
    if (!still_fails_(candidate)) return false;
    best_ = std::move(candidate);
    return true;
  }

  bool drop_steps() {
    bool dropped = false;
    for (std::size_t size = std::max<std::size_t>(best_.steps.size() / 2, 1); size > 0; size /= 2) {
      for (std::size_t from = 0; from < best_.steps.size();) {
        Schedule candidate = best_;
        const auto begin = candidate.steps.begin() + static_cast<std::ptrdiff_t>(from);
        const std::size_t count = std::min(size, best_.steps.size() - from);
        candidate.steps.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
        if (accept(std::move(candidate))) {
          dropped = true;
        } else {
          from += size;
        }
      }
    }
    return dropped;
  }

  /// Sets one number to 0, else to half.
  bool lower(const std::function<int&(Schedule&)>& number, int least) {
    const int value = number(best_);
    for (const int lower : {least, value / 2}) {
      if (lower >= value || lower < least) continue;
      Schedule candidate = best_;
      number(candidate) = lower;
      if (accept(std::move(candidate))) return true;
    }
    return false;
  }

  bool simplify_plan() {
    bool lowered = false;
    for (const PlanField& field : kPlanFields) {
      const bool is_count = field.member == &Plan::servers || field.member == &Plan::clients ||
                            field.member == &Plan::handlers;
      lowered =
          lower([&](Schedule& s) -> int& { return s.plan.*field.member; }, is_count ? 1 : 0) ||
          lowered;
    }
    return lowered;
  }

  bool lower_numbers() {
    bool lowered = false;
    for (std::size_t i = 0; i < best_.steps.size(); ++i) {
      for (std::size_t arg = 0; arg < best_.steps[i].args.size(); ++arg) {
        lowered =
            lower([&](Schedule& s) -> int& { return s.steps.at(i).args.at(arg); }, 0) || lowered;
      }
    }
    return lowered;
  }

  Schedule best_;
  const StillFails& still_fails_;
  std::size_t runs_left_;
};

}  // namespace

Schedule shrink(Schedule failing, const StillFails& still_fails, std::size_t most_runs) {
  return Shrinker(std::move(failing), still_fails, most_runs).shrink();
}

}  // namespace kinf::sim
