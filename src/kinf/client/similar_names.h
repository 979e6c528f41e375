// SPDX-License-Identifier: Apache-2.0
// Finds the names that may be meant by a name with a typing error. Pure functions. Threads: any.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kinf {

/// The distance of names that differ too much for a typing error.
inline constexpr std::size_t kFarNames = 4;

/// Returns how many characters to insert, delete, replace or swap with the next to turn one name
/// into the other, in upper or lower case; at most kFarNames.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// Returns up to three distinct names, the nearest first. Each name comes with its distance to
/// `wanted`. Leaves out those that are too far to be meant.
std::vector<std::string> similar_names(std::string_view wanted,
                                       std::vector<std::pair<std::size_t, std::string>> names);

/// Returns `did you mean web, api or db?  ` for the result of similar_names(). Returns an empty
/// string if there are none.
std::string similar_names_hint(std::string_view wanted,
                               std::vector<std::pair<std::size_t, std::string>> names);

}  // namespace kinf
