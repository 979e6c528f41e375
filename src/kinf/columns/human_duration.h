// SPDX-License-Identifier: Apache-2.0
// Durations as kubectl prints them: `3d`, `2m5s`. For AGE cells and for messages.
//
// Behaves like k8s.io/apimachinery/pkg/util/duration. Pure functions that never fail.
// Threads: call every function from any thread. base/duration.h parses durations that a user types.
#pragma once

#include <chrono>
#include <string>

#include "kinf/base/clock.h"

namespace kinf {

/// Formats `duration` as in kubectl's AGE column (apimachinery's HumanDuration): two units if the
/// smaller one is significant (`2m5s`, `7h59m`, `3d5h`), otherwise one (`119s`, `36h`, `8y`).
/// Returns `0s` for less than two seconds in the future, because clocks differ, and `<invalid>` for
/// later times.
std::string human_duration(std::chrono::nanoseconds duration);

/// Formats the time from `then` to `now` like human_duration(). Limits the difference to 292 years,
/// as in Go.
std::string human_age(Clock::Wall then, Clock::Wall now);

}  // namespace kinf
