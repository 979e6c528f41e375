// SPDX-License-Identifier: Apache-2.0
// Formats times for the TIME column. Local times are in the time zone of the process (TZ).
#pragma once

#include <cstddef>
#include <string>

#include "kinf/base/clock.h"

namespace kinf {

enum class TimeForm {
  short_form,  ///< `10:14:02.118`, local time
  rfc3339,     ///< `2026-11-21T10:14:02.118Z`, `2026-11-21T11:14:02.118+01:00`
  unix_time,   ///< `1795256042.118`
  relative,    ///< `+2.118s`, `+1h02m03.118s`, the time since `start`
};

/// Returns the text of `time`, with milliseconds. Threads: any, while no other thread changes TZ.
std::string time_text(TimeForm form, Clock::Wall time, Clock::Wall start);

/// Returns the column width to reserve for times printed in `form`, so that the columns after it do
/// not move.
std::size_t time_width(TimeForm form);

}  // namespace kinf
