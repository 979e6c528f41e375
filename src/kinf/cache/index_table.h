// SPDX-License-Identifier: Apache-2.0
// IndexTable: objects by key, with any number of indices over them. A plain data structure: it
// calls no index function and takes no lock; ThreadSafeStore does both. Each object has a slot, a
// small number, and the indices hold slots.
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

/// One condition of IndexTable::select: `value` in the index `index_name`.
struct IndexCondition {
  std::string_view index_name;
  std::string_view value;
};

/// client-go's storeIndex computes an object's old values again at each write; here each slot knows
/// its values.
/// Threads: not synchronised; const calls may run at the same time.
class IndexTable {
 public:
  /// The values of one object in each index, in the order in which the indices were added.
  using Values = std::vector<std::vector<std::string>>;

  std::size_t size() const { return entries_.size() - free_.size(); }
  /// Null if there is none.
  ObjectPtr find(std::string_view key) const;
  void for_each(
      const std::function<void(const std::string& key, const ObjectPtr& object)>& visit) const;

  std::vector<std::string> index_names() const;
  /// Visits the objects under `value`; false if there is no such index.
  bool for_each_in_index(
      std::string_view index_name, std::string_view value,
      const std::function<void(const std::string& key, const ObjectPtr& object)>& visit) const;
  /// Visits each value that has objects, with their number; false if there is no such index.
  bool for_each_value(
      std::string_view index_name,
      const std::function<void(const std::string& value, std::size_t objects)>& visit) const;
  /// The objects under any of `values`, each once. A usage error if there is no such index.
  Result<std::vector<ObjectPtr>> any_of(std::string_view index_name,
                                        std::span<const std::string> values) const;
  /// The objects that meet all conditions, searched from the rarest one; all objects if there are
  /// no conditions. A usage error if an index does not exist.
  Result<std::vector<ObjectPtr>> select(std::span<const IndexCondition> conditions) const;

  /// Adds an empty index; its name must be new.
  void add_index(std::string name);
  /// Stores `object` with its values, one list per index; returns the object that it replaces.
  ObjectPtr put(std::string_view key, ObjectPtr object, const Values& values);
  /// Sets the values of a stored object in the index at `position` only.
  void set_values(std::string_view key, std::size_t position,
                  const std::vector<std::string>& values);
  /// Removes the key; returns what was there.
  ObjectPtr erase(std::string_view key);

 private:
  struct Entry {
    std::string key;
    ObjectPtr object;  ///< null: the slot is free
  };
  struct Index {
    std::string name;
    ValueIndex values;
  };

  Slot slot_of(std::string_view key) const;
  Slot take_slot(std::string_view key);
  std::optional<std::size_t> position_of(std::string_view name) const;
  Result<const ValueIndex*> index_named(std::string_view name) const;

  SlotTable slots_;  ///< of entries_, by key
  std::vector<Entry> entries_;
  std::vector<Slot> free_;  ///< of entries_
  std::vector<Index> indices_;
};

}  // namespace kinf
