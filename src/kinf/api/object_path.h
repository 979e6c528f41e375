// SPDX-License-Identifier: Apache-2.0
// ObjectPath: the way to values inside an object's document, for questions asked of every object:
// no tree of the document is built. Expressions with conditions are JsonPath's business.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "kinf/api/object.h"

namespace kinf {

struct PathStep {
  enum class Kind { member, element, each_element };

  Kind kind = Kind::member;
  std::string name;       ///< of a member
  std::size_t index = 0;  ///< of an element

  friend bool operator==(const PathStep&, const PathStep&) = default;
};

using ObjectPath = std::vector<PathStep>;

/// What stands at the ends of the paths, in their order: strings without quotes, objects and lists
/// as JSON on one line. Null and what is not there are no values; a document that
/// cannot be read has none.
/// Threads: any.
std::vector<std::string> object_values(const Object& object, std::span<const ObjectPath> paths);

}  // namespace kinf
