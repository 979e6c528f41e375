// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/play/recording_player.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/base/assign.h"
#include "kinf/base/timestamp.h"
#include "kinf/recording/play/stepped_source.h"
#include "kinf/recording/recorded_moment.h"

namespace kinf {
namespace {

/// All changes of one list are recorded within this time after the first of them.
constexpr std::chrono::seconds kListTime{10};

}  // namespace

/// A ListerWatcher that answers from the recording, as RecordingPlayer plays it. The changes that a
/// later list found are played as an expired watch and a new list. Threads: like RecordingPlayer;
/// wake() may be called from any thread.
class PlayedSource final : public SteppedSource {
 public:
  PlayedSource(RecordingPlayer& player, PlayedSelection selection, std::int64_t type,
               RecordedList first)
      : SteppedSource(player.clock(), selection.description),
        player_(player),
        selection_(std::move(selection)),
        type_(type),
        first_(std::move(first)),
        decoder_(selection_.parts) {
    if (!first_.resource_version.empty()) set_version(first_.resource_version);
  }

  /// Returns whether selected objects may have changed in the gap, unseen by kinf.
  bool is_in(const RecordedGap& gap) const {
    const auto meet = [](const std::string& left, const std::string& right) {
      return left.empty() || right.empty() || left == right;
    };
    const bool is_of_type = gap.type == type_ || gap.type == 0;
    return is_of_type && meet(gap.ns, selection_.ns) && meet(gap.name, selection_.name);
  }

  bool selects(const RecordedVersion& version) const {
    return version.type == type_ && (selection_.ns.empty() || selection_.ns == version.ns) &&
           (selection_.name.empty() || selection_.name == version.name);
  }

  ObjectSelection selected() const {
    return {type_, selection_.type.namespaced, selection_.ns, selection_.name};
  }

  /// Returns the `seq` after which the changes of this source begin.
  std::int64_t begin() const { return first_.seq; }

  /// Returns when the first list of this source arrived.
  Clock::Wall first_time() const { return first_.time; }

  /// Returns whether `version` is a part of this source's first list.
  bool begins_with(const RecordedVersion& version) const {
    const bool is_listed = version.version.facts.source != ChangeSource::watch &&
                           version.version.seq <= first_.seq &&
                           Clock::Duration(version.version.time) == first_.time.time_since_epoch();
    return is_listed && selects(version);
  }

  /// Returns the `seq` of the last change in the last list of this source.
  std::int64_t listed_until() const { return listed_until_; }

  /// Reads the objects of the first list, and marks the list as ready for the informer. Errors:
  /// protocol; stopped.
  Result<void> load(const std::stop_token& stop) {
    const StateQuery query{
        .seq = first_.seq, .type = type_, .ns = selection_.ns, .name = selection_.name};
    Result<std::vector<StateObject>> state = player_.reader().state(query, selection_.parts, stop);
    if (!state) return fail(state);
    held_.reserve(state->size());
    for (StateObject& object : *state) hold(std::move(object));
    // The list has its own recorded resourceVersion, not that of its newest object.
    if (!first_.resource_version.empty()) set_version(first_.resource_version);
    set_listed();
    listed_until_ = first_.seq;
    return {};
  }

  /// Queues a recorded watch event for delivery.
  Result<void> play_event(const RecordedVersion& version) {
    const VersionFacts& facts = version.version.facts;
    if (Result<void> read = read_text(version); !read) return read;
    Result<ObjectPtr> object = hold(version.object, version.version, text_);
    if (!object) return fail(object);
    if (facts.type == ChangeType::deleted) held_.erase(version.object);
    // The informer infers such a deletion from the addition that follows.
    if (facts.final_state_unknown) return {};
    push(facts.type == ChangeType::added     ? WatchEventType::added
         : facts.type == ChangeType::deleted ? WatchEventType::deleted
                                             : WatchEventType::modified,
         *std::move(object));
    return {};
  }

  /// Updates the objects of this source with a change that a list found. Call relist() after the
  /// last change of the list.
  Result<void> apply(const RecordedVersion& version) {
    listed_until_ = version.version.seq;
    if (version.version.facts.type == ChangeType::deleted) {
      held_.erase(version.object);
      return {};
    }
    if (Result<void> read = read_text(version); !read) return read;
    ObjectPtr unused;
    return assign(unused, hold(version.object, version.version, text_));
  }

 private:
  /// An object that exists at the time of the clock.
  struct Held {
    ObjectPtr object;
    std::int64_t seq = 0;
    bool is_faithful = false;  ///< `object` holds all of the recorded text
    std::size_t chain = 0;     ///< how many versions the text is based on
  };

  /// Returns the objects in the order of their last changes.
  std::vector<ObjectPtr> objects() const override { return in_order(held_); }

  Result<ObjectPtr> hold(std::int64_t object, const FoundVersion& version, std::string_view text) {
    Result<StateObject> made = player_.reader().state_object(object, version, text, decoder_);
    if (!made) return fail(made);
    hold(*made);
    return made->object;
  }

  void hold(StateObject object) {
    note_version(object.version.resource_version);
    held_[object.id] = {std::move(object.object), object.version.seq, object.is_faithful,
                        std::exchange(chain_, 0)};
  }

  /// Sets `text_` to the text of a version.
  Result<void> read_text(const RecordedVersion& version) {
    before_.clear();
    if (version.has_text && version.text.base == 0) {
      return player_.reader().decode(version.text, before_, text_);
    }
    const auto held = held_.find(version.object);
    const bool knows_base = held != held_.end() && held->second.is_faithful &&
                            held->second.chain < TextRebuilder::kChainBound &&
                            (!version.has_text || held->second.seq == version.text.base);
    if (!knows_base) return player_.reader().rebuild(version.object, version.version.seq, text_);

    Scratch scratch;
    const Object& last = *held->second.object;
    VersionText{last.cells(), last.json(scratch)}.append_to(before_);
    chain_ = held->second.chain + (version.has_text ? 1 : 0);
    if (version.has_text) return player_.reader().decode(version.text, before_, text_);
    text_ = before_;
    return {};
  }

  RecordingPlayer& player_;
  const PlayedSelection selection_;
  const std::int64_t type_;
  const RecordedList first_;
  VersionDecoder decoder_;
  std::unordered_map<std::int64_t, Held> held_;
  std::int64_t listed_until_ = 0;
  std::string text_;
  std::size_t chain_ = 0;  ///< that of `text_`, as far as it was decoded from held objects
  std::string before_;
};

Result<std::unique_ptr<RecordingPlayer>> RecordingPlayer::create(
    std::unique_ptr<RecordingReader> reader, const PlayedTime& time, ReplayClock& clock) {
  if (time.end && *time.end < std::max(time.begin.value_or(reader->begins()), reader->begins())) {
    return fail(ErrorKind::usage, "{} has nothing to play until {}", reader->path(),
                local_time_text(*time.end))
        .with_hint(fmt::format("it is to be played from {} on",
                               local_time_text(std::chrono::ceil<std::chrono::seconds>(
                                   time.begin.value_or(reader->begins())))));
  }
  std::unique_ptr<RecordingPlayer> player(new RecordingPlayer(std::move(reader), clock));
  RecordingReader& file = *player->reader_;
  player->end_ = file.last_seq();
  player->reads_all_ = time.every_time;
  player->end_time_ = std::min(time.end.value_or(Clock::Wall::max()), file.ends());
  if (time.end) {
    const Result<std::int64_t> seq = file.seq_at(end_of_millisecond(*time.end));
    if (!seq) return fail(seq);
    player->end_ = *seq;
  }
  if (time.begin || time.version || time.only_state) {
    const Result<FoundMoment> found = find_moment(
        file, {.time = time.begin, .version = time.version, .plays_on = !time.only_state});
    if (!found) return fail(found);
    player->begin_ = found->seq;
    player->begin_time_ = found->time;
  }
  if (time.only_state) player->end_ = *player->begin_;
  if (!player->begin_) {
    if (auto done = assign(player->gathered_, file.gathered()); !done) return fail(done);
  }
  clock.set_wall(player->begin_ ? player->begin_time_ : file.begins());
  Result<GapNotices> gaps =
      GapNotices::read(file, clock.wall(), time.only_state ? clock.wall() : player->end_time_);
  if (!gaps) return fail(gaps);
  player->gaps_ = *std::move(gaps);
  return player;
}

void RecordingPlayer::report_gaps(Clock::Wall time) {
  const auto concerns = [this](const RecordedGap& gap) {
    return std::ranges::any_of(sources_, [&](const auto* one) { return one->is_in(gap); });
  };
  gaps_.report(time, concerns, report_gap_);
}

RecordingPlayer::~RecordingPlayer() = default;

Result<std::unique_ptr<ListerWatcher>> RecordingPlayer::add_source(PlayedSelection selection) {
  const std::int64_t type = reader_->id_of(selection.type);
  const Result<void> selected = reader_->check_selected(type, selection.ns, selection.name);
  if (!selected) return fail(selected);
  RecordedList first{begin_.value_or(0), begin_time_, ""};
  if (!begin_) {
    Result<RecordedList> found = reader_->first_list(type, selection.ns, selection.name);
    if (!found) return fail(found);
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

bool RecordingPlayer::is_in_list(std::size_t source) const {
  const PlayedSource& one = *sources_[source];
  return one.is_listed() && position_ < std::min(one.listed_until(), end_) && !is_over();
}

bool RecordingPlayer::has_listed() const {
  return std::ranges::all_of(sources_, [this](const PlayedSource* source) {
    if (source->begin() > end_) return true;
    return source->is_listed() && (position_ >= source->begin() || is_over());
  });
}

Result<std::int64_t> RecordingPlayer::first_lists_begin() {
  std::int64_t begin = end_;
  Clock::Wall time = Clock::Wall::max();
  for (const PlayedSource* source : sources_) {
    begin = std::min(begin, source->begin());
    time = std::min(time, source->first_time());
  }
  if (begin_ || sources_.empty()) return begin;
  const Result<std::int64_t> before = reader_->seq_at(time - Clock::Duration(1));
  if (!before) return before;
  return std::min(begin, *before);
}

Result<void> RecordingPlayer::place() {
  const Result<std::int64_t> begin = first_lists_begin();
  if (!begin) return fail(begin);
  position_ = *begin;
  std::vector<ObjectSelection> selections;
  for (const PlayedSource* source : sources_) selections.push_back(source->selected());
  if (!reads_all_) return assign(skips_, reader_->seek(*begin, selections, end_));
  reader_->seek(*begin);
  return {};
}

Result<void> RecordingPlayer::read_ahead() {
  if (!std::exchange(is_placed_, true)) {
    if (Result<void> placed = place(); !placed) return placed;
  }
  if (is_at_end_) return {};
  Result<std::optional<RecordedVersion>> version = reader_->next(end_);
  if (!version) return fail(version);
  is_at_end_ = !*version;
  if (*version) ahead_.push_back(**std::move(version));
  return {};
}

Result<PlayedSource*> RecordingPlayer::next_list() {
  if (ahead_.empty()) {
    if (Result<void> read = read_ahead(); !read) return fail(read);
  }
  if (!begin_ && !ahead_.empty()) {
    const auto begun = std::ranges::find_if(sources_, [this](const PlayedSource* one) {
      return !one->is_listed() && one->begin() <= end_ && one->begins_with(ahead_.front());
    });
    if (begun != sources_.end()) return *begun;
  }
  PlayedSource* const source = next_to_list();
  const bool is_next =
      source != nullptr && (ahead_.empty() || source->begin() < ahead_.front().version.seq);
  return is_next ? source : nullptr;
}

Result<std::optional<Clock::Wall>> RecordingPlayer::next_time(const std::stop_token& /*stop*/) {
  const Result<PlayedSource*> source = next_list();
  if (!source) return fail(source);
  if (*source != nullptr) return (*source)->first_time();
  if (ahead_.empty()) return std::optional<Clock::Wall>();
  return Clock::Wall(Clock::Duration(ahead_.front().version.time));
}

Result<bool> RecordingPlayer::advance(const std::stop_token& stop) {
  reached_.clear();
  // If only one state is read, report its gaps before the lists, because the command may stop after
  // the lists.
  if (begin_ == end_) report_gaps(Clock::Wall::max());
  const Result<PlayedSource*> source = next_list();
  if (!source) return fail(source);
  if (*source != nullptr) {
    if (Result<void> loaded = load(**source, stop); !loaded) return fail(loaded);
    return true;
  }
  if (ahead_.empty()) {
    report_gaps(Clock::Wall::max());
    clock_.set_wall(begin_ == end_ ? begin_time_ : std::max(clock_.wall(), end_time_));
    return false;
  }
  if (Result<void> played = play_next(); !played) return fail(played);
  if (Result<void> passed = pass_skipped(); !passed) return fail(passed);
  return true;
}

Result<void> RecordingPlayer::load(PlayedSource& source, const std::stop_token& stop) {
  const std::int64_t before =
      ahead_.empty() ? source.begin() : std::min(source.begin(), ahead_.front().version.seq - 1);
  if (skips_ && before > position_) {
    const Result<Clock::Wall> time = reader_->time_of(before);
    if (!time) return fail(time);
    report_gaps(*time);
  }
  if (Result<void> loaded = source.load(stop); !loaded) return loaded;
  clock_.set_wall(source.first_time());
  return pass_skipped();
}

Result<void> RecordingPlayer::pass_skipped() {
  if (!skips_) return {};
  if (ahead_.empty()) {
    if (Result<void> read = read_ahead(); !read) return read;
  }
  position_ = std::max(position_, ahead_.empty() ? end_ : ahead_.front().version.seq - 1);
  return {};
}

Result<void> RecordingPlayer::play_next() {
  const RecordedVersion version = std::move(ahead_.front());
  ahead_.pop_front();
  position_ = version.version.seq;
  clock_.set_wall(Clock::Wall(Clock::Duration(version.version.time)));
  report_gaps(clock_.wall());
  const bool from_watch = version.version.facts.source == ChangeSource::watch;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    PlayedSource& source = *sources_[i];
    if (!source.is_listed() || !source.selects(version)) continue;
    const bool has_it = position_ <= source.listed_until();
    if (!has_it) {
      Result<void> played = from_watch ? source.play_event(version) : play_list(source, version);
      if (!played) return played;
    }
    reached_.push_back({i, object_key(version.ns, version.name)});
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
    return is_other || Clock::Duration(version.version.time - time) > kListTime;
  };
  if (Result<void> applied = source.apply(first); !applied) return applied;
  for (std::size_t i = 0;; ++i) {
    if (i == ahead_.size()) {
      if (Result<void> read = read_ahead(); !read) return read;
      if (i == ahead_.size()) break;
    }
    if (is_after(ahead_[i])) break;
    if (!source.selects(ahead_[i])) continue;
    if (Result<void> applied = source.apply(ahead_[i]); !applied) return applied;
  }
  source.relist();
  return {};
}

}  // namespace kinf
