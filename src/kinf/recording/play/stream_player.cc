// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/play/stream_player.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "kinf/api/api_status.h"
#include "kinf/base/log.h"
#include "kinf/base/timestamp.h"
#include "kinf/recording/play/stepped_source.h"

namespace kinf {
namespace {

DecodeOptions options_of(StreamSelection& selection) {
  DecodeOptions options = std::move(selection.decode);
  options.api_version = selection.type.api_version();
  options.kind = selection.type.kind;
  return options;
}

/// The maximum pause between two objects of the first list in a pipe.
constexpr std::chrono::milliseconds kListPause{500};

void report_error(const StreamItem& item, const std::string& name) {
  Result<ApiStatus> status = parse_api_status(item.json);
  const Error error = status ? to_error(*std::move(status)) : std::move(status).error();
  log::warning("{}: {}: ERROR: {}", name, item.place(), error.message);
}

}  // namespace

/// A ListerWatcher that answers from the stream. The first event of an object is played as an
/// addition, regardless of its type. If its type is DELETED, a deletion follows.
/// Threads: like StreamPlayer; wake() may be called from any thread.
class StreamSource final : public SteppedSource {
 public:
  StreamSource(Clock& clock, StreamSelection selection)
      : SteppedSource(clock, selection.description),
        type_(selection.type),
        ns_(selection.ns),
        name_(selection.name),
        row_(selection.row),
        decoder_(options_of(selection)) {}

  /// Returns whether the item is of the selected type, in any API version.
  bool selects_type(const StreamItem& item) const {
    const std::size_t slash = item.api_version.find('/');
    const std::size_t group = slash == std::string::npos ? 0 : slash;
    return item.kind == type_.kind && item.api_version.substr(0, group) == type_.gvr.group;
  }

  /// Returns whether the object of the item exists in the state so far.
  bool has_seen(const StreamItem& item) {
    const Result<ObjectPtr> object = selects_type(item) ? decode(item) : ObjectPtr();
    return object && *object && held_.contains((*object)->key());
  }

  /// Updates the objects for the next list with an item. Errors: see play().
  Result<void> apply(const StreamItem& item) {
    flush();
    const Result<ObjectPtr> object = decode(item);
    if (!object) return fail(object);
    if (!*object) return {};
    if (item.type == StreamItemType::deleted) {
      held_.erase((*object)->key());
    } else {
      hold(*object);
    }
    return {};
  }

  /// Marks the first list as ready for the informer: the objects that apply() has collected.
  void end_list() { set_listed(); }

  /// Queues an item as a watch event. Errors: protocol, if it is not an object.
  Result<void> play(const StreamItem& item) {
    const Result<ObjectPtr> decoded = decode(item);
    if (!decoded) return fail(decoded);
    const ObjectPtr& object = *decoded;
    const bool replaces = replaced_ && object && item.type == StreamItemType::added &&
                          object->key() == replaced_->key() && object->uid() != replaced_->uid();
    if (replaces) replaced_ = {};
    flush();
    if (!object) return {};
    if (item.type == StreamItemType::deleted && item.final_state_unknown) {
      replaced_ = object;
    } else if (item.type == StreamItemType::deleted) {
      play_deletion(object);
    } else {
      const bool is_known = held_.contains(object->key());
      hold(object);
      push(is_known ? WatchEventType::modified : WatchEventType::added, object);
    }
    return {};
  }

  /// Plays the deletion that is held back for the next item, if any. Call it at the end.
  void flush() {
    if (replaced_) play_deletion(std::exchange(replaced_, {}));
  }

 private:
  struct Held {
    ObjectPtr object;
    std::uint64_t seq = 0;
  };

  std::vector<ObjectPtr> objects() const override { return in_order(held_); }

  /// Returns the object of an item, or null if the object is not selected.
  Result<ObjectPtr> decode(const StreamItem& item) {
    const StreamRow row = row_ ? row_(item) : StreamRow();
    Result<ObjectPtr> object = decoder_.decode(item.json, {row.cells, row.columns, item.manager});
    if (!object) return fail(std::move(object).error().within(item.place()));
    const bool selected =
        (ns_.empty() || ns_ == (*object)->ns()) && (name_.empty() || name_ == (*object)->name());
    return selected ? object : ObjectPtr();
  }

  void hold(const ObjectPtr& object) {
    held_[object->key()] = {object, ++last_seq_};
    note_version(object->resource_version());
  }

  void play_deletion(const ObjectPtr& object) {
    if (held_.erase(object->key()) == 0) push(WatchEventType::added, object);
    note_version(object->resource_version());
    push(WatchEventType::deleted, object);
  }

  const ResourceType type_;
  const std::string ns_;
  const std::string name_;
  const std::function<StreamRow(const StreamItem& item)> row_;
  ObjectDecoder decoder_;
  std::unordered_map<std::string, Held> held_;  ///< by the keys of the objects
  std::uint64_t last_seq_ = 0;
  /// The object of a deletion that is not played yet. If the next item adds another object with
  /// this key, the informer infers the deletion.
  ObjectPtr replaced_;
};

StreamPlayer::StreamPlayer(std::unique_ptr<StreamInput> input, std::string name, PlayedTime time,
                           ReplayClock& clock)
    : reader_(std::move(input)), name_(std::move(name)), time_(time), clock_(clock) {}

std::unique_ptr<ListerWatcher> StreamPlayer::add_source(StreamSelection selection) {
  auto source = std::make_unique<StreamSource>(clock_, std::move(selection));
  sources_.push_back(source.get());
  return source;
}

bool StreamPlayer::has_pending() const {
  return std::ranges::any_of(sources_, &StreamSource::has_pending);
}

bool StreamPlayer::is_listed(const StreamItem& item) const {
  if (time_.begin) return item.time <= time_.begin;
  if (time_.only_state || item.source == ChangeSource::list) return true;
  if (item.source || item.type == StreamItemType::added) return !item.source;
  return item.type == StreamItemType::object &&
         std::ranges::none_of(sources_,
                              [&](StreamSource* source) { return source->has_seen(item); });
}

bool StreamPlayer::is_over(const StreamItem& item) const {
  if (time_.only_state) return time_.begin && item.time > time_.begin;
  return time_.end && item.time > time_.end;
}

Result<void> StreamPlayer::check_time(const StreamItem& item) const {
  const bool needs_time = time_.begin || time_.end;
  if (!needs_time || item.time || item.type == StreamItemType::error) return {};
  return fail(ErrorKind::usage, "{}: {} has no time", name_, item.place())
      .with_hint(
          "only events of kinf watch -o json have one, which --at, --since and "
          "--until-time need");
}

template <class Act>
Result<void> StreamPlayer::for_sources(const StreamItem& item, Act act) {
  if (item.time) clock_.set_wall(*item.time);
  if (item.time) last_time_ = item.time;
  if (item.type == StreamItemType::error) {
    report_error(item, name_);
    return {};
  }
  if (item.type == StreamItemType::list_end) return {};
  bool is_selected = false;
  for (StreamSource* source : sources_) {
    if (!source->selects_type(item)) continue;
    is_selected = true;
    Result<void> done = act(*source);
    if (!done) return fail(std::move(done).error().within(name_));
  }
  if (!is_selected) report_skipped(item);
  return {};
}

void StreamPlayer::report_skipped(const StreamItem& item) {
  if (!takes_all_types_ || !skipped_.insert(item.kind).second) return;
  log::notice("{}: {}: objects of kind {} begin later and are skipped; name the types to see them",
              name_, item.place(), item.kind);
}

Result<std::optional<Clock::Wall>> StreamPlayer::next_time(const std::stop_token& stop) {
  if (!has_listed_) return std::optional<Clock::Wall>();
  const Result<const StreamItem*> next = reader_.peek(std::nullopt, stop);
  if (!next) return fail(next.error().within(name_));
  return *next == nullptr ? std::nullopt : (*next)->time;
}

Result<bool> StreamPlayer::advance(const std::stop_token& stop) {
  if (failed_) return fail(*failed_);
  return has_listed_ ? play_next(stop) : read_list(stop);
}

Result<bool> StreamPlayer::read_list(const std::stop_token& stop) {
  const bool waits = time_.only_state || time_.begin;
  std::optional<Clock::Duration> patience;
  for (;;) {
    const Result<const StreamItem*> next = reader_.peek(patience, stop);
    if (!next && time_.only_state) return fail(next.error().within(name_));
    if (stop.stop_requested()) return true;
    if (next && *next == nullptr && !reader_.has_ended() && !patience) continue;
    if (!next || *next == nullptr) break;
    if (Result<void> fine = check_time(**next); !fine) return fail(fine);
    const bool is_end = !waits && (*next)->type == StreamItemType::list_end;
    if (!is_end && !is_listed(**next)) break;
    const StreamItem item = reader_.take();
    Result<void> applied =
        for_sources(item, [&](StreamSource& source) { return source.apply(item); });
    if (!applied && time_.only_state) return fail(applied);
    if (!applied) failed_ = std::move(applied).error();
    if (is_end || failed_) break;
    if (!waits) patience = kListPause;
  }
  if (time_.begin) report_early_end();
  if (time_.begin) clock_.set_wall(*time_.begin);
  for (StreamSource* source : sources_) source->end_list();
  has_listed_ = true;
  return true;
}

void StreamPlayer::report_early_end() const {
  if (!reader_.has_ended() || failed_ || !last_time_ || *time_.begin <= *last_time_) return;
  log::notice("{} ends at {}, before {}", name_, local_time_text(*last_time_),
              local_time_text(*time_.begin));
}

Result<bool> StreamPlayer::play_next(const std::stop_token& stop) {
  const Result<const StreamItem*> next = reader_.peek(std::nullopt, stop);
  if (!next) return fail(next.error().within(name_));
  if (*next == nullptr) return reader_.has_ended() ? finish() : true;
  if (Result<void> fine = check_time(**next); !fine) return fail(fine);
  if (is_over(**next)) return finish();
  if ((*next)->source == ChangeSource::relist) return play_relist(stop);
  const StreamItem item = reader_.take();
  Result<void> played = for_sources(item, [&](StreamSource& source) { return source.play(item); });
  if (!played) return fail(played);
  return true;
}

Result<bool> StreamPlayer::play_relist(const std::stop_token& stop) {
  std::set<StreamSource*> relisted;
  for (bool more = true; more;) {
    const StreamItem item = reader_.take();
    Result<void> applied = for_sources(item, [&](StreamSource& source) {
      relisted.insert(&source);
      return source.apply(item);
    });
    if (!applied) return fail(applied);
    const Result<const StreamItem*> next = reader_.peek(Clock::Duration(0), stop);
    more = next && *next != nullptr && (*next)->source == ChangeSource::relist && !is_over(**next);
  }
  for (StreamSource* source : relisted) source->relist();
  return true;
}

bool StreamPlayer::finish() {
  for (StreamSource* source : sources_) source->flush();
  return has_pending();
}

}  // namespace kinf
