// SPDX-License-Identifier: Apache-2.0
// ObjectPath: a path to values in an object's document, evaluated for every object without building
// a tree of the document. JsonPath evaluates expressions with conditions.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "kinf/api/object.h"

namespace kinf {

/// One step of a path.
struct PathStep {
  enum class Kind { member, element, each_element };

  Kind kind = Kind::member;
  std::string name;       ///< of a member
  std::size_t index = 0;  ///< of an element

  friend bool operator==(const PathStep&, const PathStep&) = default;
};

using ObjectPath = std::vector<PathStep>;

/// Returns the values at the paths, in their order: strings without quotes, objects and lists as
/// JSON on one line. Leaves out null and missing values; a document that cannot be read has none.
/// Threads: any.
std::vector<std::string> object_values(const Object& object, std::span<const ObjectPath> paths);

}  // namespace kinf
