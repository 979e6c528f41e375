// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/stream_source.h"

#include <algorithm>
#include <utility>

namespace kinf {
namespace {

DecodeOptions options_of(StreamSelection& selection) {
  DecodeOptions options = std::move(selection.decode);
  options.api_version = selection.type.api_version();
  options.kind = selection.type.kind;
  return options;
}

}  // namespace

StreamSource::StreamSource(Clock& clock, StreamSelection selection)
    : SteppedSource(clock, selection.description),
      type_(selection.type),
      ns_(selection.ns),
      name_(selection.name),
      row_(selection.row),
      decoder_(options_of(selection)) {}

bool StreamSource::selects_type(const StreamItem& item) const {
  const std::size_t slash = item.api_version.find('/');
  const std::size_t group = slash == std::string::npos ? 0 : slash;
  return item.kind == type_.kind && item.api_version.substr(0, group) == type_.gvr.group;
}

Result<ObjectPtr> StreamSource::decode(const StreamItem& item) {
  const StreamRow row = row_ ? row_(item) : StreamRow();
  Result<ObjectPtr> object = decoder_.decode(item.json, {row.cells, row.columns, item.manager});
  if (!object) return std::unexpected(std::move(object).error().within(item.place()));
  const bool selected =
      (ns_.empty() || ns_ == (*object)->ns()) && (name_.empty() || name_ == (*object)->name());
  return selected ? object : ObjectPtr();
}

bool StreamSource::has_seen(const StreamItem& item) {
  const Result<ObjectPtr> object = selects_type(item) ? decode(item) : ObjectPtr();
  return object && *object && held_.contains((*object)->key());
}

void StreamSource::hold(const ObjectPtr& object) {
  held_[object->key()] = {object, ++last_seq_};
  note_version(object->resource_version());
}

std::vector<ObjectPtr> StreamSource::objects() const {
  std::vector<const Held*> sorted;
  sorted.reserve(held_.size());
  for (const auto& [key, held] : held_) sorted.push_back(&held);
  std::ranges::sort(sorted, {}, &Held::seq);
  std::vector<ObjectPtr> objects;
  objects.reserve(sorted.size());
  for (const Held* held : sorted) objects.push_back(held->object);
  return objects;
}

Result<void> StreamSource::apply(const StreamItem& item) {
  flush();
  const Result<ObjectPtr> object = decode(item);
  if (!object) return std::unexpected(object.error());
  if (!*object) return {};
  if (item.type == StreamItemType::deleted) {
    held_.erase((*object)->key());
  } else {
    hold(*object);
  }
  return {};
}

Result<void> StreamSource::play(const StreamItem& item) {
  const Result<ObjectPtr> decoded = decode(item);
  if (!decoded) return std::unexpected(decoded.error());
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

void StreamSource::play_deletion(const ObjectPtr& object) {
  if (held_.erase(object->key()) == 0) push(WatchEventType::added, object);
  note_version(object->resource_version());
  push(WatchEventType::deleted, object);
}

void StreamSource::flush() {
  if (replaced_) play_deletion(std::exchange(replaced_, {}));
}

}  // namespace kinf
