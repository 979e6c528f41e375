// SPDX-License-Identifier: Apache-2.0
// Groups objects by the values of one or more indices.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/query/index_spec.h"

namespace kinf {

/// Returns the values of an object in one index. A function, because the values of some indices are
/// found in other objects: see IndexSpec::follows_owners().
using ValuesOf = std::function<std::vector<std::string>(const IndexSpec&, const Object&)>;

/// One value per spec; nullopt if the object has none.
using IndexTuple = std::vector<std::optional<std::string>>;

/// Returns all combinations of the object's values, sorted. If a spec asks for a value, only
/// matching values count; an object without one has no tuples.
std::vector<IndexTuple> index_tuples(const Object& object, const std::vector<IndexSpec>& specs,
                                     const ValuesOf& values_of);

/// A change of an object's place in an index. At least one of the two is set.
struct IndexMove {
  std::optional<IndexTuple> from;  ///< nullopt: the object is new
  std::optional<IndexTuple> to;    ///< nullopt: the object left
};

/// Returns the changes from one set of tuples to another; both are sorted. One removed and one
/// added tuple are a move. Otherwise each is a change of its own, the removed ones first.
std::vector<IndexMove> index_moves(const std::vector<IndexTuple>& before,
                                   const std::vector<IndexTuple>& now);

enum class GroupOrder { count, value };

struct IndexGroup {
  IndexTuple values;
  std::vector<ObjectPtr> objects;  ///< sorted by key
};

/// Returns the groups, the biggest first, or sorted by their values only; objects without a value
/// come last. An object with several values is in several groups.
std::vector<IndexGroup> group_objects(const std::vector<ObjectPtr>& objects,
                                      const std::vector<IndexSpec>& specs,
                                      const ValuesOf& values_of,
                                      GroupOrder order = GroupOrder::count);

/// Sorts by namespace, then by name, as a server lists objects.
void sort_by_key(std::vector<ObjectPtr>& objects);

}  // namespace kinf
