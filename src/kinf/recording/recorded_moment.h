// SPDX-License-Identifier: Apache-2.0
// Finds a moment of a recording, by time or by resourceVersion. RecordingReader::state(), which
// rebuilds the objects of a moment, is in recorded_moment.cc.
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

/// Which moment of a recording to show. Without a time and a version: the end of the recording.
struct RecordedMoment {
  std::optional<Clock::Wall> time{};
  /// If set, shows the state of the server at this resourceVersion, and `time` is only what the
  /// clock shows (nullopt: when the last change arrived).
  std::optional<std::uint64_t> version{};
};

struct FoundMoment {
  std::int64_t seq = 0;  ///< of the last version that arrived by then
  Clock::Wall time{};    ///< what the clock shows
};

/// Finds a moment. With a resourceVersion, `reader` ignores newer versions from then on. Logs that
/// a moment is after the end. Errors: usage, if it is before the recording.
Result<FoundMoment> find_moment(RecordingReader& reader, const RecordedMoment& moment);

}  // namespace kinf
