// SPDX-License-Identifier: Apache-2.0
// IndexTable: a map of objects by key, with any number of indices. It does not lock and does not
// call index functions; ThreadSafeStore does both. Each object has a slot number, and the indices
// contain slot numbers.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/base/error.h"
#include "kinf/cache/value_index.h"

namespace kinf {

/// One condition of IndexTable::select(): the object has `value` in the index `index_name`.
struct IndexCondition {
  std::string_view index_name;
  std::string_view value;
};

/// Stores the index values of each slot. client-go's storeIndex instead computes an object's old
/// values again at each write.
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
  /// Returns the objects that meet all conditions, or all objects if there are no conditions.
  /// Searches the condition with the fewest objects first. Returns a usage error if an index does
  /// not exist.
  Result<std::vector<ObjectPtr>> select(std::span<const IndexCondition> conditions) const;

  /// Adds an empty index. Its name must be unique.
  void add_index(std::string name);
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
