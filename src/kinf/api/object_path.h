// SPDX-License-Identifier: Apache-2.0
// Reads values from an object's document: either all values at several ObjectPaths, as an index
// needs them, or the value of one field. For expressions with conditions see JsonPath.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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

/// Returns the value at a path of member names: a string without quotes and escapes, any other
/// value as JSON text. Returns nullopt if the value is null or missing, or if the document cannot
/// be read.
/// Threads: any.
std::optional<std::string> object_field(const Object& object,
                                        std::span<const std::string_view> path);

}  // namespace kinf
