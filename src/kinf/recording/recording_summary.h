// SPDX-License-Identifier: Apache-2.0
// RecordingSummary: what `kinf info` prints of a recording.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/recording/recording_reader.h"

namespace kinf {

/// How often something is in a recording.
struct RecordedCount {
  std::string name;
  std::int64_t objects = 0;
  std::int64_t versions = 0;
};

struct RecordingSummary {
  std::int64_t format = 0;
  std::int64_t bytes = 0;  ///< of the file and its log
  std::string server;      ///< of the last session
  std::string cluster;     ///< the UID of its namespace kube-system; empty if not known
  std::int64_t sessions = 0;
  bool masks_secrets = false;
  Clock::Wall begins{};
  Clock::Wall ends{};
  std::int64_t objects = 0;
  std::int64_t versions = 0;
  std::vector<RecordedCount> types;     ///< the most versions first, as the others
  std::vector<RecordedCount> changers;  ///< the objects with the most versions
  std::vector<RecordedCount> managers;
  std::vector<RecordedCount> days;  ///< in order of time; the name is the date
  std::vector<RecordedGap> gaps;    ///< the longest first
  Clock::Duration unrecorded{};     ///< the sum of the gaps, those at the same time counted once
};

/// Reads a summary. Needs no text of a version. `most` limits `changers` and `managers`. Errors:
/// those of RecordingReader. Blocks on the disk.
Result<RecordingSummary> summarize_recording(const std::string& path, std::size_t most,
                                             const std::stop_token& stop);

/// Reads all versions of a recording and rebuilds their texts. Returns how many there are. Errors:
/// protocol, which names what is damaged, and also if SQLite does not read a part of the
/// write-ahead log; stopped.
Result<std::int64_t> check_recording(const std::string& path, const std::stop_token& stop);

}  // namespace kinf
