// SPDX-License-Identifier: Apache-2.0
// Durations as kubectl prints them: `3d`, `2m5s`. For AGE cells and for notices.
#pragma once

#include <chrono>
#include <string>

#include "kinf/base/clock.h"

namespace kinf {

/// Two units where the smaller one still matters, as in kubectl's AGE (apimachinery's
/// HumanDuration). A little in the future is `0s`, for clocks that disagree; more is `<invalid>`.
std::string human_duration(std::chrono::nanoseconds duration);

/// The time from `then` to `now` as human_duration() writes it; a difference of more than 292 years
/// counts as 292 years, as in Go.
std::string human_age(Clock::Wall then, Clock::Wall now);

/// One unit only (apimachinery's ShortHumanDuration).
std::string short_human_duration(std::chrono::nanoseconds duration);

}  // namespace kinf
