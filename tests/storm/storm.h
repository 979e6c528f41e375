// SPDX-License-Identifier: Apache-2.0
// The two runs of the storm program: a storm of random faults, and the table of single ones.
#pragma once

#include <cstdint>
#include <string>

#include "kinf/base/clock.h"

namespace kinf::test {

/// Injects random faults for `length`, then none: every informer must equal the server again.
/// Prints a line. Returns whether all promises held. The seed determines the writes, the faults and
/// all jitter, but not how the threads interleave.
bool run_storm(Clock& clock, std::uint64_t seed, Clock::Duration length);

/// Runs each fault against each kind of request and prints a table. `only`: the faults whose text
/// contains it.
bool run_matrix(Clock& clock, const std::string& only);

}  // namespace kinf::test
