// SPDX-License-Identifier: Apache-2.0
// ValueIndex: which slots have which values, for one index of an IndexTable. Each distinct value is
// stored once, and a slot takes twelve bytes for each of its values.
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
  /// The number of a value while any slot has it.
  using ValueId = std::uint32_t;
  static constexpr ValueId kNone = SlotTable::kNone;

  /// kNone if no slot has it.
  ValueId find(std::string_view value) const;
  /// The slots with a value, each once, in no particular order.
  const std::vector<Slot>& slots(ValueId value) const { return postings_[value].slots; }
  bool has_value(Slot slot, ValueId value) const;
  /// Visits each value that has slots, with their number.
  void for_each(
      const std::function<void(const std::string& value, std::size_t slots)>& visit) const;

  /// Sets the values of the slot; equal ones count once.
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
    std::uint32_t position = 0;  ///< of the slot in the value's posting
  };
  /// Where the memberships of a slot are.
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

  SlotTable ids_;  ///< of postings_, by value
  std::deque<Posting> postings_;
  std::vector<ValueId> unused_;  ///< of postings_
  std::vector<Range> ranges_;    ///< by slot
  std::deque<Membership> memberships_;
  /// Unused ranges of memberships_, by room.
  std::map<std::size_t, std::vector<std::uint32_t>> free_;
};

}  // namespace kinf
