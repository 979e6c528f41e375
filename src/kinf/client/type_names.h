// SPDX-License-Identifier: Apache-2.0
// Resolves type names that users enter, among the types returned by Discovery, and suggests similar
// names for mistyped ones. Pure functions. Threads: any.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinf/base/error.h"

namespace kinf {

struct ApiResource;  // client/discovery.h

/// Names with this edit distance or more differ too much to be a typing error.
inline constexpr std::size_t kFarNames = 4;

/// Returns the edit distance of two names, ignoring case: how many characters to insert, delete,
/// replace or swap with the next to turn one name into the other. Returns at most kFarNames.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// Returns up to three distinct names, the nearest first. Each name in `names` comes with its edit
/// distance to `wanted`. Omits names that differ too much from `wanted`.
std::vector<std::string> similar_names(std::string_view wanted,
                                       std::vector<std::pair<std::size_t, std::string>> names);

/// Returns `did you mean web, api or db?  ` for the result of similar_names(), or an empty string
/// if there are no such names.
std::string similar_names_hint(std::string_view wanted,
                               std::vector<std::pair<std::size_t, std::string>> names);

/// The parts of `TYPE`, `TYPE.GROUP` or `TYPE.VERSION.GROUP`.
struct TypeName {
  std::string_view type;
  std::string_view group;    ///< everything after the first dot; may be empty
  std::string_view version;  ///< the second part, if it looks like a version
  /// the part after `version`; empty for the core group (`pods.v1` or `pods.v1.`)
  std::string_view group_behind_version;

  bool has_version() const { return !version.empty(); }
};
TypeName split_type_name(std::string_view name);

/// Returns the first of `types` that is called `name`, ignoring case; null if there is none.
/// Plurals take precedence over short names, and short names over singulars and kinds.
const ApiResource* find_type(std::span<const ApiResource> types, std::string_view name);

/// Like find_type(), but only in the group `group`. If there is no match, uses the first type in a
/// group whose name begins with `group` (`autoscal`), as kubectl does.
const ApiResource* find_type_in_group(std::span<const ApiResource> types, std::string_view name,
                                      std::string_view group);

/// Returns the error `the server doesn't have a resource type "poods"`. Its hint contains similar
/// names.
Error unknown_type(std::string_view name,
                   std::initializer_list<std::span<const ApiResource>> types);

}  // namespace kinf
