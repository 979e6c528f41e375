// SPDX-License-Identifier: Apache-2.0
// run_schedule(): runs one schedule from its first step until all clients have converged.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/schedule.h"

namespace kinf::sim {

struct Outcome {
  std::optional<std::string> broken;  ///< the first broken promise
  std::string trace;                  ///< empty unless asked for
  std::uint64_t steps = 0;            ///< of the schedule that were taken
  std::uint64_t faults = 0;           ///< among them
  std::int64_t converged_in = 0;      ///< milliseconds of virtual time after the last fault
};

Outcome run_schedule(const Schedule& schedule, bool traces = false);

}  // namespace kinf::sim
