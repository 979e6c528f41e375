// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/play/played_source.h"

#include <algorithm>
#include <utility>

namespace kinf {

PlayedSource::PlayedSource(RecordingPlayer& player, PlayedSelection selection, std::int64_t type,
                           RecordedList first)
    : SteppedSource(player.clock(), selection.description),
      player_(player),
      selection_(std::move(selection)),
      type_(type),
      first_(std::move(first)),
      decoder_(selection_.parts) {
  if (!first_.resource_version.empty()) set_version(first_.resource_version);
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

std::vector<ObjectPtr> PlayedSource::objects() const {
  std::vector<std::pair<std::int64_t, const ObjectPtr*>> sorted;
  sorted.reserve(held_.size());
  for (const auto& [id, held] : held_) sorted.emplace_back(held.seq, &held.object);
  std::ranges::sort(sorted);
  std::vector<ObjectPtr> objects;
  objects.reserve(sorted.size());
  for (const auto& [seq, object] : sorted) objects.push_back(*object);
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
  if (!first_.resource_version.empty()) set_version(first_.resource_version);
  set_listed();
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
  if (Result<void> read = read_text(version); !read) return read;
  Result<ObjectPtr> object = hold(version.object, version.version, text_);
  if (!object) return std::unexpected(std::move(object).error());
  if (facts.type == ChangeType::deleted) held_.erase(version.object);
  // The informer infers such a deletion from the addition that follows.
  if (facts.final_state_unknown) return {};
  push(facts.type == ChangeType::added     ? WatchEventType::added
       : facts.type == ChangeType::deleted ? WatchEventType::deleted
                                           : WatchEventType::modified,
       *std::move(object));
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

}  // namespace kinf
