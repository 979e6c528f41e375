// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/recording_player.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kinf/base/local_time.h"
#include "kinf/recording/played_source.h"
#include "kinf/recording/recorded_moment.h"

namespace kinf {
namespace {

/// The changes of one list follow each other within this time.
constexpr std::chrono::seconds kLongestList{10};

}  // namespace

Result<std::unique_ptr<RecordingPlayer>> RecordingPlayer::create(
    std::unique_ptr<RecordingReader> reader, const PlayedTime& time, ReplayClock& clock) {
  if (time.end && *time.end < std::max(time.begin.value_or(reader->begins()), reader->begins())) {
    Error error(ErrorKind::usage, fmt::format("{} has nothing to play until {}", reader->path(),
                                              local_time_text(*time.end)));
    error.hint = fmt::format("it is to be played from {} on",
                             local_time_text(std::chrono::ceil<std::chrono::seconds>(
                                 time.begin.value_or(reader->begins()))));
    return std::unexpected(std::move(error));
  }
  std::unique_ptr<RecordingPlayer> player(new RecordingPlayer(std::move(reader), clock));
  RecordingReader& file = *player->reader_;
  player->end_ = file.last_seq();
  player->end_time_ = std::min(time.end.value_or(Clock::Wall::max()), file.ends());
  if (time.end) {
    const Result<std::int64_t> seq = file.seq_at(*time.end);
    if (!seq) return std::unexpected(seq.error());
    player->end_ = *seq;
  }
  if (time.begin || time.version || time.only_state) {
    const Result<FoundMoment> found = find_moment(file, {time.begin, time.version});
    if (!found) return std::unexpected(found.error());
    player->begin_ = found->seq;
    player->begin_time_ = found->time;
  }
  if (time.only_state) player->end_ = *player->begin_;
  clock.set_wall(player->begin_ ? player->begin_time_ : file.begins());
  Result<GapNotices> gaps =
      GapNotices::read(file, clock.wall(), time.only_state ? clock.wall() : player->end_time_);
  if (!gaps) return std::unexpected(std::move(gaps).error());
  player->gaps_ = *std::move(gaps);
  return player;
}

void RecordingPlayer::report_gaps(Clock::Wall time) {
  gaps_.report(time, [this](const RecordedGap& gap) {
    return std::ranges::any_of(sources_, [&](const auto* one) { return one->is_in(gap); });
  });
}

RecordingPlayer::~RecordingPlayer() = default;

Result<std::unique_ptr<ListerWatcher>> RecordingPlayer::add_source(PlayedSelection selection) {
  const std::int64_t type = reader_->id_of(selection.type);
  const Result<void> selected = reader_->check_selected(type, selection.ns, selection.name);
  if (!selected) return std::unexpected(selected.error());
  RecordedList first{begin_.value_or(0), begin_time_, ""};
  if (!begin_) {
    Result<RecordedList> found = reader_->first_list(type, selection.ns, selection.name);
    if (!found) return std::unexpected(std::move(found).error());
    first = *std::move(found);
  }
  auto source = std::make_unique<PlayedSource>(*this, std::move(selection), type, first);
  sources_.push_back(source.get());
  return source;
}

bool RecordingPlayer::has_pending() const {
  return std::ranges::any_of(sources_, &PlayedSource::has_pending);
}

PlayedSource* RecordingPlayer::next_to_list() const {
  PlayedSource* next = nullptr;
  for (PlayedSource* source : sources_) {
    if (source->is_listed() || source->begin() > end_) continue;
    if (next == nullptr || source->begin() < next->begin()) next = source;
  }
  return next;
}

Result<void> RecordingPlayer::read_ahead() {
  if (!std::exchange(is_placed_, true)) {
    std::int64_t begin = end_;
    for (const PlayedSource* source : sources_) begin = std::min(begin, source->begin());
    reader_->seek(begin);
  }
  if (is_at_end_) return {};
  Result<std::optional<RecordedVersion>> version = reader_->next(end_);
  if (!version) return std::unexpected(std::move(version).error());
  is_at_end_ = !*version;
  if (*version) ahead_.push_back(**std::move(version));
  return {};
}

Result<PlayedSource*> RecordingPlayer::next_list() {
  if (ahead_.empty()) {
    if (Result<void> read = read_ahead(); !read) return std::unexpected(std::move(read).error());
  }
  PlayedSource* const source = next_to_list();
  const bool is_next =
      source != nullptr && (ahead_.empty() || source->begin() < ahead_.front().version.seq);
  return is_next ? source : nullptr;
}

Result<std::optional<Clock::Wall>> RecordingPlayer::next_time() {
  const Result<PlayedSource*> source = next_list();
  if (!source) return std::unexpected(source.error());
  if (*source != nullptr) return (*source)->first_time();
  if (ahead_.empty()) return std::optional<Clock::Wall>();
  return Clock::Wall(Clock::Duration(ahead_.front().version.time));
}

Result<bool> RecordingPlayer::advance(const std::stop_token& stop) {
  const Result<PlayedSource*> source = next_list();
  if (!source) return std::unexpected(source.error());
  if (*source != nullptr) {
    if (Result<void> loaded = (*source)->load(stop); !loaded) {
      return std::unexpected(std::move(loaded).error());
    }
    clock_.set_wall((*source)->first_time());
    return true;
  }
  if (ahead_.empty()) {
    report_gaps(Clock::Wall::max());
    clock_.set_wall(begin_ == end_ ? begin_time_ : std::max(clock_.wall(), end_time_));
    return false;
  }
  if (Result<void> played = play_next(); !played) {
    return std::unexpected(std::move(played).error());
  }
  return true;
}

Result<void> RecordingPlayer::play_next() {
  const RecordedVersion version = std::move(ahead_.front());
  ahead_.pop_front();
  clock_.set_wall(Clock::Wall(Clock::Duration(version.version.time)));
  report_gaps(clock_.wall());
  for (PlayedSource* source : sources_) {
    if (!source->is_listed() || version.version.seq <= source->begin()) continue;
    if (!source->selects(version)) continue;
    const bool from_watch = version.version.facts.source == ChangeSource::watch;
    Result<void> played = from_watch ? source->play_event(version) : play_list(*source, version);
    if (!played) return played;
  }
  return {};
}

Result<void> RecordingPlayer::play_list(PlayedSource& source, const RecordedVersion& first) {
  const std::int64_t time = first.version.time;
  const auto is_part = [&](const RecordedVersion& version) {
    return version.version.time == time && version.version.facts.source != ChangeSource::watch;
  };
  const auto is_after = [&](const RecordedVersion& version) {
    const bool is_other = source.selects(version) && !is_part(version);
    return is_other || Clock::Duration(version.version.time - time) > kLongestList;
  };
  if (Result<void> applied = source.apply(first); !applied) return applied;
  for (std::size_t i = 0;;) {
    if (i == ahead_.size()) {
      if (Result<void> read = read_ahead(); !read) return read;
      if (i == ahead_.size()) break;
    }
    if (is_after(ahead_[i])) break;
    if (!source.selects(ahead_[i])) {
      ++i;
      continue;
    }
    if (Result<void> applied = source.apply(ahead_[i]); !applied) return applied;
    ahead_.erase(ahead_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  source.relist();
  return {};
}

}  // namespace kinf
