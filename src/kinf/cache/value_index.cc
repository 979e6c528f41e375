// SPDX-License-Identifier: Apache-2.0
#include "kinf/cache/value_index.h"

namespace kinf {

ValueIndex::ValueId ValueIndex::find(std::string_view value) const {
  return ids_.find(hash_of_text(value), [&](ValueId id) { return postings_[id].value == value; });
}

bool ValueIndex::has_value(Slot slot, ValueId value) const {
  if (slot >= ranges_.size()) return false;
  const Range& range = ranges_[slot];
  for (std::uint32_t i = 0; i < range.count; ++i) {
    if (memberships_[range.begin + i].value == value) return true;
  }
  return false;
}

void ValueIndex::for_each(const std::function<void(const std::string&, std::size_t)>& visit) const {
  for (const Posting& posting : postings_) {
    if (!posting.slots.empty()) visit(posting.value, posting.slots.size());
  }
}

void ValueIndex::put(Slot slot, const std::vector<std::string>& values) {
  if (slot >= ranges_.size()) {
    if (values.empty()) return;
    ranges_.resize(slot + std::size_t{1});
  }
  if (has(ranges_[slot], values)) return;
  remove(slot);
  Range& range = ranges_[slot];
  make_room(range, values.size());
  for (const std::string& value : values) {
    const ValueId id = intern(value);
    if (!has_value(slot, id)) join(slot, range, id);
  }
}

void ValueIndex::remove(Slot slot) {
  if (slot >= ranges_.size()) return;
  Range& range = ranges_[slot];
  for (std::uint32_t i = 0; i < range.count; ++i) leave(memberships_[range.begin + i], slot);
  range.count = 0;
}

bool ValueIndex::has(const Range& range, const std::vector<std::string>& values) const {
  if (range.count != values.size()) return false;
  for (std::uint32_t i = 0; i < range.count; ++i) {
    if (postings_[memberships_[range.begin + i].value].value != values[i]) return false;
  }
  return true;
}

ValueIndex::ValueId ValueIndex::intern(const std::string& value) {
  if (const ValueId known = find(value); known != kNone) return known;
  ValueId id = static_cast<ValueId>(postings_.size());
  if (unused_.empty()) {
    postings_.emplace_back();
  } else {
    id = unused_.back();
    unused_.pop_back();
  }
  postings_[id].value = value;
  ids_.insert(hash_of_text(value), id);
  return id;
}

/// Ensures that `range`, which is empty, can hold `count` memberships. A range that is too small is
/// kept for slots with fewer values.
void ValueIndex::make_room(Range& range, std::size_t count) {
  if (count <= range.room) return;
  if (range.room > 0) free_[range.room].push_back(range.begin);
  if (const auto left = free_.find(count); left != free_.end()) {
    range.begin = left->second.back();
    left->second.pop_back();
    if (left->second.empty()) free_.erase(left);
  } else {
    range.begin = static_cast<std::uint32_t>(memberships_.size());
    memberships_.resize(memberships_.size() + count);
  }
  range.room = static_cast<std::uint32_t>(count);
}

void ValueIndex::join(Slot slot, Range& range, ValueId value) {
  std::vector<Slot>& slots = postings_[value].slots;
  memberships_[range.begin + range.count++] = {value, static_cast<std::uint32_t>(slots.size())};
  slots.push_back(slot);
}

/// Removes `slot` from the posting, and moves the posting's last slot to its position.
void ValueIndex::leave(const Membership& membership, Slot slot) {
  std::vector<Slot>& slots = postings_[membership.value].slots;
  const Slot last = slots.back();
  slots.pop_back();
  if (last != slot) {
    slots[membership.position] = last;
    const Range& range = ranges_[last];
    for (std::uint32_t i = 0; i < range.count; ++i) {
      Membership& moved = memberships_[range.begin + i];
      if (moved.value == membership.value) moved.position = membership.position;
    }
  }
  if (slots.empty()) forget(membership.value);
}

/// Removes a value that no object has any more (kubernetes#84959).
void ValueIndex::forget(ValueId value) {
  Posting& posting = postings_[value];
  ids_.erase(hash_of_text(posting.value), value);
  posting = Posting();
  unused_.push_back(value);
}

}  // namespace kinf
