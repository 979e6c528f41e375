// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/version_tracker.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kinf/base/ascii.h"

namespace kinf {

void InitialEvents::apply(WatchEventType type, ObjectPtr object) {
  std::string key = object->key();
  const auto known = positions_.find(key);
  if (type == WatchEventType::deleted) {
    if (known == positions_.end()) return;
    objects_[known->second] = nullptr;
    positions_.erase(known);
  } else if (known != positions_.end()) {
    objects_[known->second] = std::move(object);
  } else {
    positions_.emplace(std::move(key), objects_.size());
    objects_.push_back(std::move(object));
  }
}

std::vector<ObjectPtr> InitialEvents::take() {
  positions_.clear();
  std::erase(objects_, ObjectPtr());
  return std::exchange(objects_, {});
}

namespace {

bool is_decimal(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

std::string_view without_zeros(std::string_view number) {
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
  return number;
}

}  // namespace

bool is_older_version(std::string_view a, std::string_view b) {
  if (!is_decimal(a) || !is_decimal(b)) return false;
  // Compare the numbers as text, because a number of any length must not overflow. Without leading
  // zeros, the longer number is greater.
  const std::string_view x = without_zeros(a);
  const std::string_view y = without_zeros(b);
  return x.size() != y.size() ? x.size() < y.size() : x < y;
}

std::string set_back_text(std::string_view from, std::string_view to) {
  return fmt::format("resourceVersion went back from {} to {}", from, to);
}

bool is_same_state(const Object& a, const Object& b) {
  if (&a == &b) return true;
  if (a.uid() != b.uid() || a.resource_version() != b.resource_version()) return false;
  if (!a.resource_version().empty()) return true;
  Scratch scratch_a;
  Scratch scratch_b;
  return a.json(scratch_a) == b.json(scratch_b);
}

std::string VersionTracker::last() const {
  MutexLock lock(mu_);
  return last_;
}

std::string VersionTracker::for_list() const {
  if (unavailable_) return "";
  std::string version = last();
  return version.empty() ? "0" : version;
}

void VersionTracker::listed(std::string resource_version) {
  unavailable_ = false;
  fresh_from_list_ = true;
  ordered_ = true;
  MutexLock lock(mu_);
  last_ = std::move(resource_version);
}

void VersionTracker::watch_started() {
  const std::string from = last();
  ordered_ = !from.empty() && from != "0";
}

void VersionTracker::took(const WatchEvent& event) {
  if (event.type != WatchEventType::added) ordered_ = true;
  if (!ordered_) return;
  MutexLock lock(mu_);
  if (behaviour_ == Behaviour::strict &&
      (event.resource_version.empty() || is_older_version(event.resource_version, last_))) {
    return;
  }
  fresh_from_list_ = false;
  last_ = event.resource_version;
}

}  // namespace kinf
