// SPDX-License-Identifier: Apache-2.0
// The two runs of the storm program: a storm of random faults, and the table of single ones.
#pragma once

#include <cstdint>
#include <string>

#include "kinf/base/clock.h"

namespace kinf::test {

/// Faults at random for `length`, then calm: everybody must equal the server again. Prints a line;
/// true if all promises held. The seed decides what is written, which faults come when and whom
/// chance hits, and all jitter; how the threads interleave it does not.
bool run_storm(Clock& clock, std::uint64_t seed, Clock::Duration length);

/// Each fault against each way of asking; prints a table. `only`: the faults that contain it.
bool run_matrix(Clock& clock, const std::string& only);

}  // namespace kinf::test
