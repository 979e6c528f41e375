// SPDX-License-Identifier: Apache-2.0
// IndexTable: a map of objects by key, with any number of indices. It does not lock and does not
// call index functions; ThreadSafeStore does both. Each object has a slot number, and the indices
// contain slot numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/base/error.h"

namespace [[gnu::visibility("default")]] kinf {

// SlotTable: a hash table of slot numbers. The caller stores and compares the keys, so an entry
// takes eight bytes regardless of the length of the key.

using Slot = std::uint32_t;

inline std::size_t hash_of_text(std::string_view text) {
  return std::hash<std::string_view>()(text);
}

/// A hash table of slot numbers, with open addressing and linear probing. At most two thirds of the
/// places are in use. Threads: not synchronised; const calls may run at the same time.
class SlotTable {
 public:
  static constexpr Slot kNone = ~Slot{0};

  /// Returns the slot with this hash for which `same(slot)` is true, or kNone.
  template <class Same>
  Slot find(std::size_t hash, Same same) const {
    if (places_.empty()) return kNone;
    const std::uint32_t mark = mark_of(hash);
    for (std::size_t at = mark & mask();; at = (at + 1) & mask()) {
      const Place& place = places_[at];
      if (place.slot == kNone) return kNone;
      if (place.mark == mark && same(place.slot)) return place.slot;
    }
  }

  /// Adds `slot`, which must not be in the table.
  void insert(std::size_t hash, Slot slot) {
    if (3 * (taken_ + 1) > 2 * places_.size()) grow();
    put({mark_of(hash), slot});
    ++taken_;
  }

  /// Removes `slot`, which must be in the table under this hash.
  void erase(std::size_t hash, Slot slot) {
    std::size_t gap = mark_of(hash) & mask();
    while (places_[gap].slot != slot) gap = (gap + 1) & mask();
    --taken_;
    // Moves later entries into the gap, except entries whose home position (by hash) is after the
    // gap.
    for (std::size_t at = (gap + 1) & mask(); places_[at].slot != kNone; at = (at + 1) & mask()) {
      const std::size_t home = places_[at].mark & mask();
      if (((at - home) & mask()) < ((at - gap) & mask())) continue;
      places_[gap] = places_[at];
      gap = at;
    }
    places_[gap] = Place();
  }

 private:
  struct Place {
    std::uint32_t mark = 0;
    Slot slot = kNone;
  };

  static std::uint32_t mark_of(std::size_t hash) {
    return static_cast<std::uint32_t>(hash ^ (hash >> 32));
  }
  std::size_t mask() const { return places_.size() - 1; }

  void put(Place place) {
    std::size_t at = place.mark & mask();
    while (places_[at].slot != kNone) at = (at + 1) & mask();
    places_[at] = place;
  }

  void grow() {
    constexpr std::size_t kSmallest = 16;
    std::vector<Place> old(places_.empty() ? kSmallest : 2 * places_.size());
    old.swap(places_);
    for (const Place& place : old) {
      if (place.slot != kNone) put(place);
    }
  }

  std::vector<Place> places_;  ///< the size is a power of two
  std::size_t taken_ = 0;
};

// ValueIndex: one index of an IndexTable. Maps values to slots, and slots to their values. Each
// distinct value is stored once. Each pair of a slot and a value takes twelve bytes.

/// Threads: not synchronised; const calls may run at the same time.
class ValueIndex {
 public:
  /// Identifies a value while at least one slot has the value.
  using ValueId = std::uint32_t;
  static constexpr ValueId kNone = SlotTable::kNone;

  /// Returns kNone if no slot has the value.
  ValueId find(std::string_view value) const;
  /// Returns the slots that have the value, each once, in unspecified order.
  const std::vector<Slot>& slots(ValueId value) const { return postings_[value].slots; }
  bool has_value(Slot slot, ValueId value) const;
  /// Visits each value and the number of its slots.
  void for_each(
      const std::function<void(const std::string& value, std::size_t slots)>& visit) const;

  /// Sets the values of the slot. Ignores duplicates.
  void put(Slot slot, const std::vector<std::string>& values);
  void remove(Slot slot);

 private:
  struct Posting {
    std::string value;
    std::vector<Slot> slots;
  };
  /// A pair of a slot and one of its values.
  struct Membership {
    ValueId value = kNone;
    std::uint32_t position = 0;  ///< the slot's index in Posting::slots
  };
  /// The part of memberships_ that belongs to one slot: `count` of `room` elements are in use,
  /// sorted by value. Two objects may have the same 100,000 values, so nothing scans a range to
  /// find a value.
  struct Range {
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
    std::uint32_t room = 0;
  };

  std::uint32_t membership_of(const Range& range, ValueId value) const;
  bool has(const Range& range, const std::vector<std::string>& values) const;
  ValueId intern(const std::string& value);
  void make_room(Range& range, std::size_t count);
  void join(Slot slot, Range& range, ValueId value);
  void leave(const Membership& standing, Slot slot);
  void forget(ValueId value);

  SlotTable ids_;  ///< finds a position in postings_ by value
  std::deque<Posting> postings_;
  std::vector<ValueId> unused_;  ///< the unused positions in postings_
  std::vector<Range> ranges_;    ///< indexed by slot
  std::deque<Membership> memberships_;
  /// The starts of unused ranges of memberships_, by their size.
  std::map<std::size_t, std::vector<std::uint32_t>> free_;
};

/// One condition of IndexTable::select(): the object has `value` in the index `index_name`.
struct IndexCondition {
  std::string_view index_name;
  std::string_view value;
};

/// A map of objects by key, with indices. Stores the index values of each slot; client-go's
/// storeIndex instead computes an object's old values again at each write.
/// Threads: not synchronised; const calls may run at the same time.
class IndexTable {
 public:
  /// The values of one object, one list per index, in the order in which the indices were added.
  using Values = std::vector<std::vector<std::string>>;

  std::size_t size() const { return entries_.size() - free_.size(); }
  /// Returns the object stored under `key`; null if there is none.
  ObjectPtr find(std::string_view key) const;
  void for_each(
      const std::function<void(const std::string& key, const ObjectPtr& object)>& visit) const;

  std::vector<std::string> index_names() const;
  /// Visits the objects that have `value` in the index. Returns false if the index does not exist.
  bool for_each_in_index(
      std::string_view index_name, std::string_view value,
      const std::function<void(const std::string& key, const ObjectPtr& object)>& visit) const;
  /// Visits each value of the index and the number of its objects. Returns false if the index does
  /// not exist.
  bool for_each_value(
      std::string_view index_name,
      const std::function<void(const std::string& value, std::size_t objects)>& visit) const;
  /// Returns the objects that have any of `values` in the index, each once. Returns a usage error
  /// if the index does not exist.
  Result<std::vector<ObjectPtr>> any_of(std::string_view index_name,
                                        std::span<const std::string> values) const;
  /// Returns the objects that meet all conditions, or all objects if there are no conditions. Scans
  /// only the objects that meet the condition with the fewest objects. Returns a usage error if an
  /// index does not exist.
  Result<std::vector<ObjectPtr>> select(std::span<const IndexCondition> conditions) const;

  /// Adds an empty index. Its name must be unique.
  void add_index(std::string name) { indices_.push_back({std::move(name), {}}); }
  /// Stores `object` with its values. Returns the object that it replaces; null if there is none.
  ObjectPtr put(std::string_view key, ObjectPtr object, const Values& values);
  /// Sets the values of a stored object in the index at `position` only.
  void set_values(std::string_view key, std::size_t position,
                  const std::vector<std::string>& values);
  /// Removes `key`. Returns the removed object; null if there is none.
  ObjectPtr erase(std::string_view key);

 private:
  struct Entry {
    std::string key;
    ObjectPtr object;  ///< null if the slot is free
  };
  struct Index {
    std::string name;
    ValueIndex values;
  };

  Slot slot_of(std::string_view key) const;
  Slot take_slot(std::string_view key);
  std::optional<std::size_t> position_of(std::string_view name) const;
  Result<const ValueIndex*> index_named(std::string_view name) const;

  SlotTable slots_;  ///< finds a position in entries_ by key
  std::vector<Entry> entries_;
  std::vector<Slot> free_;  ///< the unused positions in entries_
  std::vector<Index> indices_;
};

}  // namespace kinf
