// SPDX-License-Identifier: Apache-2.0
// ByteFaultPlan: decides which byte faults are due when. ByteRelay applies them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kinf/base/random.h"
#include "kinf/sandbox/faults/fault_spec.h"

namespace kinf::sandbox {

/// Threads: one owner.
class ByteFaultPlan {
 public:
  /// Adds a fault. `none` removes all faults; protocol faults are ignored.
  void add(const FaultSpec& spec);
  /// Returns the faults that are due now, for all connections. Times count from the first call with
  /// `has_connections`.
  std::vector<FaultKind> due(Clock::Mono now, bool has_connections);
  /// Returns the next random fault for one connection, if any. Call once per connection, in order,
  /// after tick() returned true.
  std::optional<FaultKind> random_fault();
  /// Returns true once a second while random faults are on.
  bool tick(Clock::Mono now);
  /// Returns when due() or tick() should be called next.
  Clock::Mono next() const;
  std::uint64_t bytes_per_second() const { return bytes_per_second_; }

 private:
  struct Scheduled {
    FaultSpec spec;
    std::optional<Clock::Mono> at;  ///< empty: no connection so far
  };

  std::vector<Scheduled> scheduled_;
  std::uint64_t bytes_per_second_ = 0;
  std::optional<Random> random_;
  double rate_ = 0;
  std::optional<Clock::Mono> next_tick_;
};

}  // namespace kinf::sandbox
