// SPDX-License-Identifier: Apache-2.0
// ValueIndex: one index of an IndexTable: maps values to slots, and slots to their values. Each
// distinct value is stored once. Each pair of a slot and a value takes twelve bytes.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/cache/slot_table.h"

namespace kinf {

/// Threads: not synchronised; const calls may run at the same time.
class ValueIndex {
 public:
  /// Identifies a value as long as any slot has it.
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
  /// One value of one slot.
  struct Membership {
    ValueId value = kNone;
    std::uint32_t position = 0;  ///< the slot's index in Posting::slots
  };
  /// The part of memberships_ that belongs to one slot: `count` of `room` elements are in use.
  struct Range {
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
    std::uint32_t room = 0;
  };

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

}  // namespace kinf
