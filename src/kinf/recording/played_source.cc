// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/played_source.h"

#include <algorithm>
#include <utility>

#include "kinf/base/parse_number.h"

namespace kinf {

class PlayedSource::List final : public ListCall {
 public:
  List(PlayedSource& source, ListSink& sink) : source_(source), sink_(sink) {}
  std::optional<Result<ListPage>> poll() override {
    if (!source_.is_listed_) return std::nullopt;
    source_.list_ready_ = false;
    for (ObjectPtr& object : source_.objects()) sink_.item(std::move(object));
    return ListPage{source_.version_, ""};
  }

 private:
  PlayedSource& source_;
  ListSink& sink_;
};

class PlayedSource::Watch final : public WatchCall {
 public:
  explicit Watch(PlayedSource& source) : source_(source) {}
  WatchPoll poll() override {
    if (!std::exchange(is_open_, true)) return WatchOpened{};
    if (source_.pending_.empty()) return WatchPending{};
    WatchEvent event = std::move(source_.pending_.front());
    source_.pending_.pop_front();
    return event;
  }
  Clock::Mono last_byte() const override { return source_.player_.clock().now(); }

 private:
  PlayedSource& source_;
  bool is_open_ = false;
};

PlayedSource::PlayedSource(RecordingPlayer& player, PlayedSelection selection, std::int64_t type,
                           RecordedList first)
    : player_(player),
      selection_(std::move(selection)),
      type_(type),
      first_(std::move(first)),
      decoder_(selection_.parts),
      version_(first_.resource_version.empty() ? "1" : first_.resource_version) {}

std::unique_ptr<ListCall> PlayedSource::list(const ListOptions& options, ListSink& sink) {
  (void)options;
  return std::make_unique<List>(*this, sink);
}

std::unique_ptr<WatchCall> PlayedSource::watch(const ListOptions& options) {
  (void)options;
  return std::make_unique<Watch>(*this);
}

void PlayedSource::wait(Clock::Mono deadline, const std::stop_token& stop) {
  MutexLock lock(mu_);
  Clock& clock = player_.clock();
  while (!woken_ && !stop.stop_requested() && clock.now() < deadline) {
    clock.wait_until(changed_, mu_, deadline, stop);
  }
  woken_ = false;
}

void PlayedSource::wake() {
  MutexLock lock(mu_);
  woken_ = true;
  changed_.notify_all();
}

bool PlayedSource::selects(const RecordedVersion& version) const {
  return version.type == type_ && (selection_.ns.empty() || selection_.ns == version.ns) &&
         (selection_.name.empty() || selection_.name == version.name);
}

bool PlayedSource::begins_with(const RecordedVersion& version) const {
  const bool is_listed = version.version.facts.source != ChangeSource::watch &&
                         version.version.seq <= first_.seq &&
                         Clock::Duration(version.version.time) == first_.time.time_since_epoch();
  return is_listed && selects(version);
}

bool PlayedSource::is_in(const RecordedGap& gap) const {
  const auto meet = [](const std::string& left, const std::string& right) {
    return left.empty() || right.empty() || left == right;
  };
  return gap.type == type_ && meet(gap.ns, selection_.ns) && meet(gap.name, selection_.name);
}

/// Versions of one object only grow, and so does the version of its list. A version that is not a
/// number takes the place of the one before.
void PlayedSource::note_version(std::string_view version) {
  const auto now = parse_number<std::uint64_t>(version_);
  const auto next = parse_number<std::uint64_t>(version);
  if (!now || !next || *next > *now) version_ = version;
}

std::vector<ObjectPtr> PlayedSource::objects() const {
  std::vector<const Held*> sorted;
  sorted.reserve(held_.size());
  for (const auto& [id, held] : held_) sorted.push_back(&held);
  std::ranges::sort(sorted, {}, &Held::seq);
  std::vector<ObjectPtr> objects;
  objects.reserve(sorted.size());
  for (const Held* held : sorted) objects.push_back(held->object);
  return objects;
}

Result<ObjectPtr> PlayedSource::hold(std::int64_t object, const FoundVersion& version,
                                     std::string_view text) {
  Result<StateObject> made = player_.reader().state_object(object, version, text, decoder_);
  if (!made) return std::unexpected(std::move(made).error());
  hold(*made);
  return made->object;
}

void PlayedSource::hold(StateObject object) {
  note_version(object.version.resource_version);
  held_[object.id] = {std::move(object.object), object.version.seq, object.is_faithful};
}

Result<void> PlayedSource::load(const std::stop_token& stop) {
  const StateQuery query{
      .seq = first_.seq, .type = type_, .ns = selection_.ns, .name = selection_.name};
  Result<std::vector<StateObject>> state = player_.reader().state(query, selection_.parts, stop);
  if (!state) return std::unexpected(std::move(state).error());
  held_.reserve(state->size());
  for (StateObject& object : *state) hold(std::move(object));
  // The recorded version of the first list counts, not that of its newest object.
  if (!first_.resource_version.empty()) version_ = first_.resource_version;
  is_listed_ = true;
  list_ready_ = true;
  listed_until_ = first_.seq;
  return {};
}

Result<void> PlayedSource::read_text(const RecordedVersion& version) {
  before_.clear();
  if (version.has_text && version.text.base == 0) {
    return player_.reader().decode(version.text, before_, text_);
  }
  const auto held = held_.find(version.object);
  const bool knows_base = held != held_.end() && held->second.is_faithful &&
                          (!version.has_text || held->second.seq == version.text.base);
  if (!knows_base) {
    return player_.reader().rebuild(version.object, version.version.seq, text_);
  }
  Scratch scratch;
  const Object& last = *held->second.object;
  VersionText{last.cells(), last.json(scratch)}.append_to(before_);
  if (version.has_text) return player_.reader().decode(version.text, before_, text_);
  text_ = before_;
  return {};
}

Result<void> PlayedSource::play_event(const RecordedVersion& version) {
  const VersionFacts& facts = version.version.facts;
  WatchEvent event;
  event.type = facts.type == ChangeType::added     ? WatchEventType::added
               : facts.type == ChangeType::deleted ? WatchEventType::deleted
                                                   : WatchEventType::modified;
  if (Result<void> read = read_text(version); !read) return read;
  Result<ObjectPtr> object = hold(version.object, version.version, text_);
  if (!object) return std::unexpected(std::move(object).error());
  if (facts.type == ChangeType::deleted) held_.erase(version.object);
  // The informer infers such a deletion from the addition that follows.
  if (facts.final_state_unknown) return {};
  event.object = *std::move(object);
  event.resource_version = event.object->resource_version();
  pending_.push_back(std::move(event));
  return {};
}

Result<void> PlayedSource::apply(const RecordedVersion& version) {
  listed_until_ = version.version.seq;
  if (version.version.facts.type == ChangeType::deleted) {
    held_.erase(version.object);
    return {};
  }
  if (Result<void> read = read_text(version); !read) return read;
  const Result<ObjectPtr> object = hold(version.object, version.version, text_);
  if (!object) return std::unexpected(object.error());
  return {};
}

void PlayedSource::relist() {
  WatchEvent event;
  event.type = WatchEventType::error;
  event.error = Error(ErrorKind::expired, "the recording has a gap here");
  pending_.push_back(std::move(event));
  list_ready_ = true;
}

}  // namespace kinf
