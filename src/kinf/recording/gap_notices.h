// SPDX-License-Identifier: Apache-2.0
// GapNotices: logs the gaps of a recording while it is played.
#pragma once

#include <deque>
#include <functional>

#include "kinf/base/clock.h"
#include "kinf/recording/recording_reader.h"

namespace kinf {

/// Threads: one owner.
class GapNotices {
 public:
  /// Takes the gaps that last until after `begin` and begin until `end`.
  static Result<GapNotices> read(RecordingReader& reader, Clock::Wall begin, Clock::Wall end);

  /// Logs those that end until `time` and for which `concerns` returns true. Each is logged once.
  void report(Clock::Wall time, const std::function<bool(const RecordedGap& gap)>& concerns);

 private:
  std::deque<RecordedGap> gaps_;  ///< sorted by their ends
};

}  // namespace kinf
