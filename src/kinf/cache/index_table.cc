// SPDX-License-Identifier: Apache-2.0
#include "kinf/cache/index_table.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace kinf {

ObjectPtr IndexTable::find(std::string_view key) const {
  const Slot slot = slot_of(key);
  return slot == SlotTable::kNone ? nullptr : entries_[slot].object;
}

void IndexTable::for_each(
    const std::function<void(const std::string&, const ObjectPtr&)>& visit) const {
  for (const Entry& entry : entries_) {
    if (entry.object) visit(entry.key, entry.object);
  }
}

std::vector<std::string> IndexTable::index_names() const {
  std::vector<std::string> names;
  for (const Index& index : indices_) names.push_back(index.name);
  return names;
}

bool IndexTable::for_each_in_index(
    std::string_view index_name, std::string_view value,
    const std::function<void(const std::string&, const ObjectPtr&)>& visit) const {
  const auto position = position_of(index_name);
  if (!position) return false;
  const ValueIndex& index = indices_[*position].values;
  const ValueIndex::ValueId id = index.find(value);
  if (id == ValueIndex::kNone) return true;
  for (const Slot slot : index.slots(id)) visit(entries_[slot].key, entries_[slot].object);
  return true;
}

bool IndexTable::for_each_value(
    std::string_view index_name,
    const std::function<void(const std::string&, std::size_t)>& visit) const {
  const auto position = position_of(index_name);
  if (!position) return false;
  indices_[*position].values.for_each(visit);
  return true;
}

Result<std::vector<ObjectPtr>> IndexTable::any_of(std::string_view index_name,
                                                  std::span<const std::string> values) const {
  const Result<const ValueIndex*> index = index_named(index_name);
  if (!index) return fail(index);
  std::vector<Slot> found;
  for (const std::string& value : values) {
    const ValueIndex::ValueId id = (*index)->find(value);
    if (id == ValueIndex::kNone) continue;
    const std::vector<Slot>& slots = (*index)->slots(id);
    found.insert(found.end(), slots.begin(), slots.end());
  }
  if (values.size() > 1) {
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
  }
  std::vector<ObjectPtr> objects;
  objects.reserve(found.size());
  for (const Slot slot : found) objects.push_back(entries_[slot].object);
  return objects;
}

Result<std::vector<ObjectPtr>> IndexTable::select(
    std::span<const IndexCondition> conditions) const {
  struct Term {
    const ValueIndex* index;
    ValueIndex::ValueId value;
  };
  std::vector<Term> terms;
  bool impossible = false;
  for (const IndexCondition& condition : conditions) {
    const Result<const ValueIndex*> index = index_named(condition.index_name);
    if (!index) return fail(index);
    terms.push_back({*index, (*index)->find(condition.value)});
    impossible = impossible || terms.back().value == ValueIndex::kNone;
  }
  std::vector<ObjectPtr> objects;
  if (impossible) return objects;
  if (terms.empty()) {
    objects.reserve(size());
    for (const Entry& entry : entries_) {
      if (entry.object) objects.push_back(entry.object);
    }
    return objects;
  }
  const auto slots = [](const Term& term) -> const std::vector<Slot>& {
    return term.index->slots(term.value);
  };
  std::sort(terms.begin(), terms.end(),
            [&](const Term& a, const Term& b) { return slots(a).size() < slots(b).size(); });
  for (const Slot slot : slots(terms.front())) {
    const bool in_all = std::all_of(terms.begin() + 1, terms.end(), [&](const Term& term) {
      return term.index->has_value(slot, term.value);
    });
    if (in_all) objects.push_back(entries_[slot].object);
  }
  return objects;
}

ObjectPtr IndexTable::put(std::string_view key, ObjectPtr object, const Values& values) {
  Slot slot = slot_of(key);
  if (slot == SlotTable::kNone) slot = take_slot(key);
  std::swap(entries_[slot].object, object);
  for (std::size_t i = 0; i < indices_.size(); ++i) indices_[i].values.put(slot, values[i]);
  return object;
}

void IndexTable::set_values(std::string_view key, std::size_t position,
                            const std::vector<std::string>& values) {
  const Slot slot = slot_of(key);
  if (slot != SlotTable::kNone) indices_[position].values.put(slot, values);
}

ObjectPtr IndexTable::erase(std::string_view key) {
  const Slot slot = slot_of(key);
  if (slot == SlotTable::kNone) return nullptr;
  for (Index& index : indices_) index.values.remove(slot);
  slots_.erase(hash_of_text(key), slot);
  free_.push_back(slot);
  return std::exchange(entries_[slot], Entry()).object;
}

Slot IndexTable::slot_of(std::string_view key) const {
  return slots_.find(hash_of_text(key), [&](Slot slot) { return entries_[slot].key == key; });
}

/// Assigns a free or new slot to a key that is not in the table.
Slot IndexTable::take_slot(std::string_view key) {
  Slot slot = static_cast<Slot>(entries_.size());
  if (free_.empty()) {
    entries_.emplace_back();
  } else {
    slot = free_.back();
    free_.pop_back();
  }
  entries_[slot].key = key;
  slots_.insert(hash_of_text(key), slot);
  return slot;
}

std::optional<std::size_t> IndexTable::position_of(std::string_view name) const {
  for (std::size_t i = 0; i < indices_.size(); ++i) {
    if (indices_[i].name == name) return i;
  }
  return std::nullopt;
}

Result<const ValueIndex*> IndexTable::index_named(std::string_view name) const {
  const auto position = position_of(name);
  if (!position) return fail(ErrorKind::usage, "Index with name {} does not exist", name);
  return &indices_[*position].values;
}

ValueIndex::ValueId ValueIndex::find(std::string_view value) const {
  return ids_.find(hash_of_text(value), [&](ValueId id) { return postings_[id].value == value; });
}

bool ValueIndex::has_value(Slot slot, ValueId value) const {
  if (slot >= ranges_.size()) return false;
  const std::uint32_t at = membership_of(ranges_[slot], value);
  return at < ranges_[slot].begin + ranges_[slot].count && memberships_[at].value == value;
}

/// Returns the position of `value` in the range, or where it would be.
std::uint32_t ValueIndex::membership_of(const Range& range, ValueId value) const {
  const auto begin = memberships_.begin() + range.begin;
  const auto found =
      std::ranges::lower_bound(begin, begin + range.count, value, {}, &Membership::value);
  return range.begin + static_cast<std::uint32_t>(found - begin);
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
  std::vector<ValueId> ids;
  ids.reserve(values.size());
  for (const std::string& value : values) ids.push_back(intern(value));
  std::ranges::sort(ids);
  const auto twice = std::ranges::unique(ids);
  ids.erase(twice.begin(), twice.end());
  for (const ValueId id : ids) join(slot, range, id);
}

void ValueIndex::remove(Slot slot) {
  if (slot >= ranges_.size()) return;
  Range& range = ranges_[slot];
  for (std::uint32_t i = 0; i < range.count; ++i) leave(memberships_[range.begin + i], slot);
  range.count = 0;
}

bool ValueIndex::has(const Range& range, const std::vector<std::string>& values) const {
  if (range.count != values.size()) return false;
  if (range.count == 1) return postings_[memberships_[range.begin].value].value == values[0];
  std::vector<ValueId> ids;
  ids.reserve(values.size());
  for (const std::string& value : values) ids.push_back(find(value));
  std::ranges::sort(ids);
  return std::ranges::equal(
      ids, memberships_ | std::views::drop(range.begin) | std::views::take(range.count), {}, {},
      &Membership::value);
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

/// Removes `slot` from the posting, and moves the posting's last slot to the freed position.
void ValueIndex::leave(const Membership& membership, Slot slot) {
  std::vector<Slot>& slots = postings_[membership.value].slots;
  const Slot last = slots.back();
  slots.pop_back();
  if (last != slot) {
    slots[membership.position] = last;
    memberships_[membership_of(ranges_[last], membership.value)].position = membership.position;
  }
  if (slots.empty()) forget(membership.value);
}

/// Removes a value that no object has (kubernetes#84959).
void ValueIndex::forget(ValueId value) {
  Posting& posting = postings_[value];
  ids_.erase(hash_of_text(posting.value), value);
  posting = Posting();
  unused_.push_back(value);
}

}  // namespace kinf
