// SPDX-License-Identifier: Apache-2.0
// RecordingPlayer: plays a recording to informers. Its sources are ListerWatchers that first list
// the recorded objects as they were at one time, and then send the recorded changes.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "kinf/api/lister_watcher.h"
#include "kinf/recording/play/player.h"
#include "kinf/recording/play/replay_clock.h"
#include "kinf/recording/recording_reader.h"

namespace kinf {

/// The objects that one informer reads.
struct PlayedSelection {
  ResourceType type;
  std::string ns;    ///< empty means all namespaces
  std::string name;  ///< empty means all objects
  VersionParts parts;
  std::string description;  ///< describes the source in messages
};

/// The part of a recording to play. By default, all of it is played.
struct PlayedTime {
  std::optional<Clock::Wall> begin{};
  std::optional<Clock::Wall> end{};
  bool only_state = false;                 ///< plays only the state at `begin` (default: the end)
  std::optional<std::uint64_t> version{};  ///< see RecordedMoment; needs `only_state`
  /// Reads also the versions of objects that no source selects, so that next_time() returns their
  /// times. Without it, gaps between two changes are reported at the later one.
  bool every_time = false;
};

class PlayedSource;

/// Plays a recording to informers. Logs each gap, a period in which kinf did not watch, when it
/// plays the end of the gap; see also on_gap(). Also logs if `begin` is after the end of the
/// recording. Threads: one owner, which also runs the informers with SharedInformer::step().
class RecordingPlayer final : public Player {
 public:
  /// Errors: usage, if `time.begin` or `time.end` is before the recording, or `time.end` is before
  /// `time.begin`. `clock` must outlive the player.
  static Result<std::unique_ptr<RecordingPlayer>> create(std::unique_ptr<RecordingReader> reader,
                                                         const PlayedTime& time,
                                                         ReplayClock& clock);
  ~RecordingPlayer() override;

  RecordingReader& reader() { return *reader_; }
  ReplayClock& clock() override { return clock_; }
  void on_gap(std::function<void(const Gap& gap)> report) override {
    report_gap_ = std::move(report);
  }
  /// Adds a source. The source must outlive the last call of advance(), and the player must outlive
  /// the source. Errors: usage, if such objects were not recorded.
  Result<std::unique_ptr<ListerWatcher>> add_source(PlayedSelection selection);
  Result<std::optional<Clock::Wall>> next_time(const std::stop_token& stop = {}) override;
  Result<bool> advance(const std::stop_token& stop = {}) override;
  std::span<const ReachedChange> reached() const override { return reached_; }
  bool is_in_list(std::size_t source) const override;
  bool has_listed() const override;
  bool has_gathered() const override { return gathered_ && position_ >= *gathered_; }
  bool has_pending() const override;

 private:
  RecordingPlayer(std::unique_ptr<RecordingReader> reader, ReplayClock& clock)
      : reader_(std::move(reader)), clock_(clock) {}
  PlayedSource* next_to_list() const;
  /// Returns the `seq` (number of a version) after which the first lists begin.
  Result<std::int64_t> first_lists_begin();
  /// Returns whether no version is left. Call read_ahead() first.
  bool is_over() const { return ahead_.empty() && is_at_end_; }
  /// Returns the source whose first list is to be played next; null if a change comes next, or at
  /// the end.
  Result<PlayedSource*> next_list();
  /// Moves reader_ to where the changes begin. Selects the objects of the sources, if they are few.
  Result<void> place();
  /// Reads one more version and appends it to ahead_, unless there is none.
  Result<void> read_ahead();
  Result<void> load(PlayedSource& source, const std::stop_token& stop);
  /// Moves the position to the end of the versions that reader_ skips.
  Result<void> pass_skipped();
  Result<void> play_next();
  /// Reports the gaps that end at `time` or before.
  void report_gaps(Clock::Wall time);
  /// Plays all versions that one list delivered to `source`, beginning with `first`.
  Result<void> play_list(PlayedSource& source, const RecordedVersion& first);

  const std::unique_ptr<RecordingReader> reader_;
  ReplayClock& clock_;
  std::optional<std::int64_t> begin_;  ///< the `seq` to begin after; nullopt: with the first lists
  std::int64_t end_ = 0;
  std::optional<std::int64_t> gathered_;  ///< see RecordingReader::gathered()
  Clock::Wall begin_time_{};
  Clock::Wall end_time_{};
  std::vector<PlayedSource*> sources_;
  std::int64_t position_ = 0;  ///< the `seq` of the last version that the clock has reached
  std::vector<ReachedChange> reached_;
  bool is_placed_ = false;  ///< whether reader_ has moved to where the changes begin
  bool is_at_end_ = false;
  bool reads_all_ = false;
  bool skips_ = false;  ///< whether reader_ skips the versions of objects that no source selects
  std::deque<RecordedVersion> ahead_;  ///< versions that were read, but not played yet
  GapNotices gaps_;
  std::function<void(const Gap& gap)> report_gap_ = log_gap;
};

}  // namespace kinf
