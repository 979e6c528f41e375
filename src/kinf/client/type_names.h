// SPDX-License-Identifier: Apache-2.0
// Finds the type that a name typed by the user means, among the types that Discovery returned. Pure
// functions, to be called from any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "kinf/base/error.h"
#include "kinf/client/discovery.h"

namespace kinf {

/// `TYPE`, `TYPE.GROUP` or `TYPE.VERSION.GROUP`, split at its first dots.
struct TypeName {
  std::string_view type;
  std::string_view group;                 ///< everything after the first dot; may be empty
  std::string_view version;               ///< the second part, if it looks like a version
  std::string_view group_behind_version;  ///< the part after `version` (empty: core, `pods.v1.`)

  bool has_version() const { return !version.empty(); }
};
TypeName split_type_name(std::string_view name);

/// Returns the first of `types` that is called `name`: plurals before short names before singulars
/// and kinds, in any case. Null if there is none.
const ApiResource* find_type(std::span<const ApiResource> types, std::string_view name);

/// The same among the types of one group, or else of the first group whose name begins with `group`
/// (`autoscal`), as kubectl does.
const ApiResource* find_type_in_group(std::span<const ApiResource> types, std::string_view name,
                                      std::string_view group);

/// Returns the error `the server doesn't have a resource type "poods"`, with similar names as a
/// hint.
Error unknown_type(std::string_view name, std::span<const ApiResource> types);

}  // namespace kinf
