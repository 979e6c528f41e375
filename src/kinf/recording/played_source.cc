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

namespace {

DecodeOptions raw(DecodeOptions options) {
  options.form = ObjectForm::raw;
  return options;
}

}  // namespace

PlayedSource::PlayedSource(RecordingPlayer& player, PlayedSelection selection, std::int64_t type,
                           RecordedList first)
    : player_(player),
      selection_(std::move(selection)),
      type_(type),
      first_(std::move(first)),
      decoder_(selection_.decode),
      raw_decoder_(raw(selection_.decode)),
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
  Result<ObjectPtr> made = player_.reader().object(version, text, decoder_);
  if (!made) return made;
  const bool lacks_document = selection_.decode.form != ObjectForm::raw;
  if (lacks_document && selection_.needs_document && selection_.needs_document(**made)) {
    made = player_.reader().object(version, text, raw_decoder_);
    if (!made) return made;
  }
  Scratch scratch;
  const VersionText parts = VersionText::split(text);
  const bool is_faithful = (*made)->json(scratch).size() == parts.json.size();
  held_[object] = {*made, version.seq, is_faithful};
  note_version(version.resource_version);
  return made;
}

Result<void> PlayedSource::load() {
  Result<void> loaded = player_.reader().visit_state(
      first_.seq, type_, selection_.ns, selection_.name,
      [&](std::int64_t object, const FoundVersion& version, std::string_view text) -> Result<void> {
        const Result<ObjectPtr> held = hold(object, version, text);
        if (!held) return std::unexpected(held.error());
        return {};
      });
  // The recorded version of the first list counts, not that of its newest object.
  if (!first_.resource_version.empty()) version_ = first_.resource_version;
  is_listed_ = true;
  list_ready_ = true;
  return loaded;
}

Result<void> PlayedSource::read_text(const RecordedVersion& version) {
  const auto held = held_.find(version.object);
  if (version.version.facts.whole) return codec_.decode(version.data, {}, text_);
  if (held == held_.end() || !held->second.is_faithful) {
    return player_.reader().rebuild(version.object, version.version.seq, text_);
  }
  Scratch scratch;
  const Object& last = *held->second.object;
  before_.clear();
  VersionText{last.cells(), last.json(scratch)}.append_to(before_);
  if (version.has_data) return codec_.decode(version.data, before_, text_);
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
