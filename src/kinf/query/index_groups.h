// SPDX-License-Identifier: Apache-2.0
// Objects grouped by the values of one or more indices.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/query/index_spec.h"

namespace kinf {

/// The values of an object in one index; one that lies in other objects needs more than the spec.
using ValuesOf = std::function<std::vector<std::string>(const IndexSpec&, const Object&)>;

/// One value per spec; empty for an object that has none.
using IndexTuple = std::vector<std::optional<std::string>>;

/// All combinations of the object's values, sorted. Of a spec with a value only what matches it
/// counts: an object without such a value has no tuples.
std::vector<IndexTuple> index_tuples(const Object& object, const std::vector<IndexSpec>& specs,
                                     const ValuesOf& values_of);

/// One way in which an object's place in an index changed; not both are empty.
struct IndexMove {
  std::optional<IndexTuple> from;  ///< empty: it was not there
  std::optional<IndexTuple> to;    ///< empty: it is not there any more
};

/// What leads from one set of tuples to the other, both sorted. One that went and one that came
/// are a move; otherwise each stands alone, those that went first.
std::vector<IndexMove> index_moves(const std::vector<IndexTuple>& before,
                                   const std::vector<IndexTuple>& now);

enum class GroupOrder { count, value };

struct IndexGroup {
  IndexTuple values;
  std::vector<ObjectPtr> objects;  ///< sorted by key
};

/// The biggest group first, or by values alone, "has none" last. An object with several values
/// stands in several groups.
std::vector<IndexGroup> group_objects(const std::vector<ObjectPtr>& objects,
                                      const std::vector<IndexSpec>& specs,
                                      const ValuesOf& values_of,
                                      GroupOrder order = GroupOrder::count);

/// By namespace, then name: the order of a list from the server.
void sort_by_key(std::vector<ObjectPtr>& objects);

}  // namespace kinf
