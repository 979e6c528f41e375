// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/mutation_detector.h"

#include <functional>
#include <string_view>

namespace kinf {
namespace {

/// Hashes everything that is readable through Object.
std::size_t hash_of(const Object& object) {
  std::size_t hash = 0;
  const auto mix = [&](std::string_view text) {
    hash = hash * 1099511628211U + std::hash<std::string_view>()(text);
  };
  Scratch scratch;
  for (const std::string_view text :
       {object.api_version(), object.kind(), object.ns(), object.name(), object.uid(),
        object.resource_version(), object.manager(), object.cells(), object.json(scratch)}) {
    mix(text);
  }
  for (std::size_t i = 0; i < object.label_count(); ++i) {
    mix(object.label_at(i).first);
    mix(object.label_at(i).second);
  }
  for (std::size_t i = 0; i < object.owner_count(); ++i) {
    const OwnerReference owner = object.owner_at(i);
    for (const std::string_view text : {owner.api_version, owner.kind, owner.name, owner.uid}) {
      mix(text);
    }
  }
  return hash;
}

}  // namespace

void MutationDetector::note(const Change& change) {
  if (change.old && change.old == change.object) return;
  // Use change.key, not object->key(): a mutation may have changed the name.
  const auto [entry, is_new] = noted_.try_emplace(change.key);
  if (!is_new) look_at(entry->first, entry->second);
  if (change.type == ChangeType::deleted) {
    noted_.erase(entry);
  } else {
    entry->second = {change.object, hash_of(*change.object)};
  }
}

void MutationDetector::check_if_due(Clock::Mono now) {
  if (now - last_check_ < kPeriod) return;
  last_check_ = now;
  check();
}

void MutationDetector::check() {
  for (auto& [key, noted] : noted_) look_at(key, noted);
}

void MutationDetector::look_at(const std::string& key, Noted& noted) {
  const std::size_t hash = hash_of(*noted.object);
  if (hash == noted.hash) return;
  noted.hash = hash;  // report each mutation only once
  found_.push_back(key);
}

}  // namespace kinf
