// SPDX-License-Identifier: Apache-2.0
// RecordingPlayer: plays a recording through informers: its sources are ListerWatchers that list
// the recorded state of a moment, and then send the recorded changes.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "kinf/api/lister_watcher.h"
#include "kinf/recording/play/player.h"
#include "kinf/recording/play/replay_clock.h"
#include "kinf/recording/recording_reader.h"

namespace kinf {

/// What one informer reads.
struct PlayedSelection {
  ResourceType type;
  std::string ns;    ///< empty: all namespaces
  std::string name;  ///< empty: all objects
  VersionParts parts;
  std::string description;  ///< for messages
};

/// Where to begin and to end. By default, everything is played.
struct PlayedTime {
  std::optional<Clock::Wall> begin{};
  std::optional<Clock::Wall> end{};
  bool only_state = false;                 ///< plays no change: the state at `begin`, or at the end
  std::optional<std::uint64_t> version{};  ///< see RecordedMoment; needs `only_state`
};

class PlayedSource;

/// Logs the gaps in what it plays, and that a moment is after the end of the recording.
/// Threads: one owner, which also runs the informers with SharedInformer::step().
class RecordingPlayer final : public Player {
 public:
  /// Errors: usage, if `time.begin` or `time.end` is before the recording, or `time.end` is before
  /// `time.begin`. `clock` must outlive it.
  static Result<std::unique_ptr<RecordingPlayer>> create(std::unique_ptr<RecordingReader> reader,
                                                         const PlayedTime& time,
                                                         ReplayClock& clock);
  ~RecordingPlayer() override;

  RecordingReader& reader() { return *reader_; }
  ReplayClock& clock() override { return clock_; }
  /// Adds a source. It must outlive the last call of advance(), and this object must outlive it.
  /// Errors: usage, if such objects were not recorded.
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
  /// Returns the `seq` after which the first lists begin.
  Result<std::int64_t> first_lists_begin();
  /// Returns whether no version is left. Call read_ahead() first.
  bool is_over() const { return ahead_.empty() && is_at_end_; }
  /// Returns the source whose first list comes next; null if a change does, or at the end.
  Result<PlayedSource*> next_list();
  /// Reads the next version, if it is not known yet. `ahead_` is empty after the last one.
  Result<void> read_ahead();
  Result<void> play_next();
  /// Logs the gaps that end until `time`.
  void report_gaps(Clock::Wall time);
  /// Plays all versions that one list brought to `source`, of which `first` is the first.
  Result<void> play_list(PlayedSource& source, const RecordedVersion& first);

  const std::unique_ptr<RecordingReader> reader_;
  ReplayClock& clock_;
  std::optional<std::int64_t> begin_;  ///< a `seq`; nullopt: the first lists
  std::int64_t end_ = 0;
  std::optional<std::int64_t> gathered_;  ///< see RecordingReader::gathered()
  Clock::Wall begin_time_{};
  Clock::Wall end_time_{};
  std::vector<PlayedSource*> sources_;
  std::int64_t position_ = 0;  ///< the `seq` of the last version that was reached
  std::vector<ReachedChange> reached_;
  bool is_placed_ = false;  ///< the reader is where the changes begin
  bool is_at_end_ = false;
  std::deque<RecordedVersion> ahead_;  ///< the next versions
  GapNotices gaps_;
};

}  // namespace kinf
