// SPDX-License-Identifier: Apache-2.0
// ByteFaultPlan: decides when byte faults occur. ByteRelay applies them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kinf/base/random.h"
#include "kinf/sandbox/faults/delay_line.h"
#include "kinf/sandbox/faults/fault_spec.h"

namespace kinf::sandbox {

/// Threads: not thread-safe.
class ByteFaultPlan {
 public:
  /// Adds a fault. `none` removes all faults. Ignores protocol faults.
  void add(const FaultSpec& spec);
  /// Returns the faults to apply to all connections now. Delays and periods start with the first
  /// call in which `has_connections` is true.
  std::vector<FaultKind> due(Clock::Mono now, bool has_connections);
  /// Returns a random fault for one connection, or nullopt. Call it once per connection, in order,
  /// after tick() returns true.
  std::optional<FaultKind> random_fault();
  /// Returns true once a second while random faults are active.
  bool tick(Clock::Mono now);
  /// Returns when to call due() or tick() next, or kNever.
  Clock::Mono next() const;
  /// Returns the limits of every connection.
  const LinkOptions& link() const { return link_; }

 private:
  struct Scheduled {
    FaultSpec spec;
    std::optional<Clock::Mono> at;  ///< when the fault is due; empty: its delay has not started
  };

  std::vector<Scheduled> scheduled_;
  LinkOptions link_;
  std::optional<Random> random_;
  double rate_ = 0;  ///< probability of a random fault per connection and second
  std::optional<Clock::Mono> next_tick_;
};

}  // namespace kinf::sandbox
