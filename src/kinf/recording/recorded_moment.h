// SPDX-License-Identifier: Apache-2.0
// Finds a moment of a recording, that is, the last version (`seq`) up to a time or a
// resourceVersion. RecordingReader::state(), which rebuilds the objects of a moment, is in
// recorded_moment.cc.
#pragma once

#include <cstdint>
#include <optional>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"

namespace kinf {

class Database;
class RecordingReader;

/// Returns the `seq` of the last version that arrived at `time` (nanoseconds since 1970) or before;
/// 0 if there is none. Assumes that versions are in the order of their times, apart from a few
/// milliseconds.
Result<std::int64_t> last_version_at(Database& database, std::int64_t time);

/// Returns the last nanosecond of a time in whole milliseconds, and any other time unchanged. kinf
/// prints times rounded down to milliseconds, and users give them so.
Clock::Wall end_of_millisecond(Clock::Wall time);

/// The moment of a recording to show. By default, this is the end of the recording.
struct RecordedMoment {
  std::optional<Clock::Wall> time{};
  /// If set, shows the state of the server at this resourceVersion, and `time` only sets the clock
  /// (nullopt means the time at which the last change arrived).
  std::optional<std::uint64_t> version{};
  /// Sets `time` to this long before the end of the recording.
  std::optional<Clock::Duration> before_end{};
  /// Whether what follows is played: then what arrived within the millisecond `time` is a part of
  /// it, otherwise a part of the state.
  bool plays_on = false;
};

struct FoundMoment {
  std::int64_t seq = 0;  ///< the last version that had arrived at the moment
  Clock::Wall time{};    ///< the time to set the clock to
};

/// Finds a moment. If `moment` has a resourceVersion, RecordingReader::state() ignores newer
/// versions from then on. Logs if the moment is after the end of the recording. Errors: usage, if
/// the moment is before the recording.
Result<FoundMoment> find_moment(RecordingReader& reader, const RecordedMoment& moment);

/// Returns the time that `moment` stands for. For a resourceVersion this is when the last change up
/// to it arrived. nullopt if `moment` is empty. Errors: as find_moment().
Result<std::optional<Clock::Wall>> time_in(RecordingReader& reader, const RecordedMoment& moment);

}  // namespace kinf
