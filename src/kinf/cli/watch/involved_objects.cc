// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/watch/involved_objects.h"

#include <utility>

namespace kinf {
namespace {

constexpr std::size_t kKeptObjects = 1000;

std::string key_of(std::string_view kind, std::string_view object_key) {
  return std::string(kind).append(" ").append(object_key);
}

std::string key_of(const EventNote& note) {
  return key_of(note.kind, note.ns.empty() ? note.name : note.ns + "/" + note.name);
}

}  // namespace

std::vector<Change> InvolvedObjects::note_object(const ResourceType& type, const Change& change) {
  const std::string key = key_of(type.kind, change.key);
  const auto [known, is_new] = uids_.try_emplace(key);
  if (change.object) known->second = change.object->uid();
  if (change.type == ChangeType::deleted) {
    deleted_.push_back(key);
    if (deleted_.size() > kKeptObjects) {
      uids_.erase(deleted_.front());
      deleted_.pop_front();
    }
  } else if (change.type == ChangeType::added) {
    std::erase(deleted_, key);  // the object exists again
  }
  std::vector<Change> matched;
  if (!is_new && change.type != ChangeType::added) return matched;
  std::erase_if(unmatched_, [&](Unmatched& one) {
    if (key_of(one.note) != key || !matches(one.note)) return false;
    matched.push_back(std::move(one.change));
    return true;
  });
  return matched;
}

bool InvolvedObjects::is_about_known(const EventNote& note, const Change& change) {
  if (matches(note)) return true;
  unmatched_.push_back({note, change});
  if (unmatched_.size() > kKeptObjects) unmatched_.pop_front();
  return false;
}

bool InvolvedObjects::matches(const EventNote& note) const {
  const auto known = uids_.find(key_of(note));
  if (known == uids_.end()) return false;
  // A kubelet uses the name of its node as the uid.
  return note.uid.empty() || note.uid == known->second || note.uid == note.name;
}

}  // namespace kinf
