// SPDX-License-Identifier: Apache-2.0
// Which objects --failing selects: those whose row in a table has a cell that attention_colours()
// marks, a passing state only after it has lasted. Pure functions. Threads: any.
#pragma once

#include <chrono>
#include <optional>

#include "kinf/api/object.h"
#include "kinf/base/clock.h"

namespace kinf {

/// A state that should pass, such as Pending or READY 0/1, is failing after this time.
inline constexpr std::chrono::minutes kPassingTime{2};

/// Returns the time from which on the current state of an object is failing; nullopt if no cell of
/// its row is marked:
/// - for a red cell and for a Warning Event: Wall::min();
/// - for a yellow cell: kPassingTime after the last transition of a condition in the status, or
///   after the deletionTimestamp, or after the creation of an object that has neither, but not
///   before `seen` + kPassingTime. `seen` is when the state was first seen; Wall::min() if it
///   may be older than the first time that it was read.
std::optional<Clock::Wall> failing_from(const Object& object, Clock::Wall seen);

}  // namespace kinf
