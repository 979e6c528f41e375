// SPDX-License-Identifier: Apache-2.0
// ValueIndex: which slots stand under which values, for one index of an IndexTable. Each distinct
// value is kept once, and a slot costs twelve bytes for each of its values.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/cache/slot_table.h"

namespace kinf {

/// Threads: none of its own; const calls may run side by side.
class ValueIndex {
 public:
  /// The number of a value while any slot stands under it.
  using ValueId = std::uint32_t;
  static constexpr ValueId kNone = SlotTable::kNone;

  /// kNone if no slot stands under it.
  ValueId find(std::string_view value) const;
  /// The slots under a value, each once, in no order.
  const std::vector<Slot>& slots(ValueId value) const { return postings_[value].slots; }
  bool stands_under(Slot slot, ValueId value) const;
  /// Visits each value that has slots, with their number.
  void for_each(
      const std::function<void(const std::string& value, std::size_t slots)>& visit) const;

  /// Makes `values` those of the slot; equal ones count once.
  void put(Slot slot, const std::vector<std::string>& values);
  void remove(Slot slot);

 private:
  struct Posting {
    std::string value;
    std::vector<Slot> slots;
  };
  /// One value of one slot.
  struct Standing {
    ValueId value = kNone;
    std::uint32_t position = 0;  ///< of the slot in the value's posting
  };
  /// Where the standings of a slot are.
  struct Range {
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
    std::uint32_t room = 0;
  };

  bool has(const Range& range, const std::vector<std::string>& values) const;
  ValueId intern(const std::string& value);
  void make_room(Range& range, std::size_t count);
  void stand(Slot slot, Range& range, ValueId value);
  void leave(const Standing& standing, Slot slot);
  void forget(ValueId value);

  SlotTable ids_;  ///< of postings_, by value
  std::deque<Posting> postings_;
  std::vector<ValueId> unused_;  ///< of postings_
  std::vector<Range> ranges_;    ///< by slot
  std::deque<Standing> standings_;
  std::map<std::size_t, std::vector<std::uint32_t>> free_;  ///< left ranges of standings_, by room
};

}  // namespace kinf
