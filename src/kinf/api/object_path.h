// SPDX-License-Identifier: Apache-2.0
// ObjectPath: a path to values in an object's document, such as an index evaluates for every
// object. For expressions with conditions see JsonPath.
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
  std::string name;       ///< the member's name, for Kind::member
  std::size_t index = 0;  ///< the position, for Kind::element

  friend bool operator==(const PathStep&, const PathStep&) = default;
};

using ObjectPath = std::vector<PathStep>;

/// Returns the values at the paths, in the order of the paths: strings without quotes, objects and
/// lists as JSON on one line. Omits null and missing values. Returns no values if the document
/// cannot be read.
/// Threads: any.
std::vector<std::string> object_values(const Object& object, std::span<const ObjectPath> paths);

}  // namespace kinf
