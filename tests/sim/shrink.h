// SPDX-License-Identifier: Apache-2.0
// shrink(): finds the shortest schedule that still breaks the same promise.
#pragma once

#include <cstddef>
#include <functional>

#include "sim/schedule.h"

namespace kinf::sim {

/// Returns whether a schedule still fails.
using StillFails = std::function<bool(const Schedule&)>;

/// Removes steps (Zeller's delta debugging: halves, then quarters, … then single steps), then makes
/// the plan and the numbers of the steps smaller, until nothing can be left out. Runs `still_fails`
/// at most `most_runs` times.
Schedule shrink(Schedule failing, const StillFails& still_fails, std::size_t most_runs = 20000);

}  // namespace kinf::sim
