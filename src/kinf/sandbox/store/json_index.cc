// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/store/json_index.h"

#include <algorithm>
#include <functional>

namespace kinf::sandbox {
namespace {

/// An object with more members than this gets an index.
constexpr std::size_t kSmall = 32;

std::size_t combined(std::size_t hash, std::size_t more) { return hash * 31 + more; }

}  // namespace

MemberIndex::MemberIndex(const Json& object)
    : members_(object.is_object() ? &object.get_ref<const Json::object_t&>() : nullptr) {
  if (members_ == nullptr || members_->size() <= kSmall) return;
  for (const auto& [key, value] : *members_) index_.try_emplace(key, &value);
}

const Json* MemberIndex::find(std::string_view key) const {
  if (!index_.empty()) {
    const auto found = index_.find(key);
    return found == index_.end() ? nullptr : found->second;
  }
  if (members_ == nullptr) return nullptr;
  for (const auto& [name, value] : *members_) {
    if (name == key) return &value;
  }
  return nullptr;
}

MemberEditor::MemberEditor(Json& object) : members_(&object.get_ref<Json::object_t&>()) {}

Json::object_t::value_type& MemberEditor::member(std::size_t position) {
  return members_->begin()[static_cast<std::ptrdiff_t>(position)];
}

/// Returns whether the object has no index because it is small. Creates the index as soon as the
/// object is large.
bool MemberEditor::is_small() {
  if (!is_indexed_ && members_->size() > kSmall) {
    for (std::size_t i = 0; i < members_->size(); ++i) index_.try_emplace(member(i).first, i);
    is_indexed_ = true;
  }
  return !is_indexed_;
}

Json* MemberEditor::find(const std::string& key) {
  if (is_small()) {
    const auto found = members_->find(key);
    return found == members_->end() ? nullptr : &found->second;
  }
  const auto found = index_.find(key);
  return found == index_.end() ? nullptr : &member(found->second).second;
}

Json& MemberEditor::operator[](const std::string& key) {
  if (Json* found = find(key)) return *found;
  if (is_indexed_) index_.emplace(key, members_->size());
  members_->push_back({key, Json()});
  return members_->back().second;
}

void MemberEditor::erase(const std::string& key) {
  if (is_small()) {
    members_->erase(key);
    return;
  }
  const auto found = index_.find(key);
  if (found == index_.end()) return;
  erased_.push_back(found->second);
  index_.erase(found);
}

void MemberEditor::finish() {
  if (erased_.empty()) return;
  std::ranges::sort(erased_);
  Json::object_t kept;
  kept.reserve(members_->size() - erased_.size());
  auto erased = erased_.begin();
  for (std::size_t i = 0; i < members_->size(); ++i) {
    if (erased != erased_.end() && *erased == i) {
      ++erased;
    } else {
      kept.push_back(std::move(member(i)));
    }
  }
  members_->swap(kept);
  erased_.clear();
  index_.clear();
  is_indexed_ = false;
}

void append_member(Json& object, std::string key, Json value) {
  object.get_ref<Json::object_t&>().push_back({std::move(key), std::move(value)});
}

std::size_t hash_of(const Json& value) {
  std::size_t hash = value.size();
  if (value.is_string()) return std::hash<std::string>()(value.get_ref<const std::string&>());
  // An integer and a floating-point number can be equal, so they need the same hash.
  if (value.is_number()) return std::hash<double>()(value.get<double>());
  if (value.is_boolean()) return value.get<bool>() ? 1 : 2;
  if (value.is_array()) {
    for (const Json& each : value) hash = combined(hash, hash_of(each));
  } else if (value.is_object()) {
    for (const auto& [key, each] : value.get_ref<const Json::object_t&>()) {
      hash = combined(combined(hash, std::hash<std::string>()(key)), hash_of(each));
    }
  }
  return hash;
}

}  // namespace kinf::sandbox
