// SPDX-License-Identifier: Apache-2.0
// Parses the times that users enter for recordings: --at, --since and --until-time.
#pragma once

#include <string_view>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/recording/recorded_moment.h"

namespace kinf {

struct ReplayFlags;

/// Parses RFC 3339, `2026-11-22 10:14`, `10:14`, `10:14:03.118`, `yesterday 10:14`, `now`, `15m` or
/// `-15m` (both: ago). Times without a zone are in the time zone of the process. `10:14` means the
/// most recent 10:14, at or before `now`. Of a date and time that a change of the clocks repeats,
/// it means the first; of one that the change skips, as much later. Errors: usage.
Result<Clock::Wall> parse_moment(std::string_view text, Clock::Wall now);

/// Parses a point of a recording: a time as for parse_moment(), or `end` or `end-15m`, counted from
/// the end of the recording; `rv=8812` for the state at a resourceVersion; or both, separated by a
/// comma. Errors: usage.
Result<RecordedMoment> parse_recorded_moment(std::string_view text, Clock::Wall now);

/// Parses --at, or else --since. The result is empty if neither is given. Errors: usage; the
/// message names the flag.
Result<RecordedMoment> recorded_moment(const ReplayFlags& flags, Clock::Wall now);

/// Parses --until-time in the same way.
Result<RecordedMoment> end_moment(const ReplayFlags& flags, Clock::Wall now);

}  // namespace kinf
