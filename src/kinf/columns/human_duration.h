// SPDX-License-Identifier: Apache-2.0
// Durations as kubectl prints them: `3d`, `2m5s`. For AGE cells and for messages.
//
// Copied in behaviour from k8s.io/apimachinery/pkg/util/duration. Pure functions that never fail.
// Threads: every call from any thread. For durations that a user types see base/duration.h.
#pragma once

#include <chrono>
#include <string>

#include "kinf/base/clock.h"

namespace kinf {

/// Returns `duration` as in kubectl's AGE (apimachinery's HumanDuration): two units where the
/// smaller one still matters (`2m5s`, `7h59m`, `3d5h`), otherwise one (`119s`, `36h`, `8y`). Less
/// than two seconds in the future is `0s`, because clocks differ a little; more is `<invalid>`.
std::string human_duration(std::chrono::nanoseconds duration);

/// Returns the time from `then` to `now` as human_duration() writes it. A difference of more than
/// 292 years counts as 292 years, as in Go.
std::string human_age(Clock::Wall then, Clock::Wall now);

/// Returns `duration` in one unit, rounded down (apimachinery's ShortHumanDuration): `1m` for 119
/// s.
std::string short_human_duration(std::chrono::nanoseconds duration);

}  // namespace kinf
