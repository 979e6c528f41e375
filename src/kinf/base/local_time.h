// SPDX-License-Identifier: Apache-2.0
// Prints times in the time zone of the process, in RFC 3339 format.
#pragma once

#include <string>

#include "kinf/base/clock.h"

namespace kinf {

/// Returns an offset from UTC: `Z`, `+01:00`.
std::string offset_text(long seconds);

/// Returns `2026-11-21T19:14:00+09:00`. Fractions of a second are cut off.
std::string local_time_text(Clock::Wall time);

}  // namespace kinf
