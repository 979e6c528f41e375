// SPDX-License-Identifier: Apache-2.0
// ByteFaultPlan: which byte faults are to strike when. No sockets: ByteRelay asks it and does it.
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
  /// None ends all; a fault that is no byte fault is ignored.
  void add(const FaultSpec& spec);
  /// The faults whose time has come, for all connections. Times are counted from the first call
  /// that has a connection.
  std::vector<FaultKind> due(Clock::Mono now, bool has_connections);
  /// What befalls one connection by chance at this tick; to be asked for each, in their order.
  std::optional<FaultKind> random_fault();
  /// A second of `random` has passed: random_fault() is to be asked.
  bool tick(Clock::Mono now);
  /// When due() or tick() will have something new.
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
