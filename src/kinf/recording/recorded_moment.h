// SPDX-License-Identifier: Apache-2.0
// RecordedMoment: which moment of a recording to show.
#pragma once

#include <cstdint>
#include <optional>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"

namespace kinf {

class RecordingReader;

/// Without both: the end of the recording.
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
