// SPDX-License-Identifier: Apache-2.0
// Which of the types a server has is meant by the word a user typed. Pure look-up; Discovery
// brings the types.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "kinf/base/error.h"
#include "kinf/client/discovery.h"

namespace kinf {

/// `TYPE`, `TYPE.GROUP` or `TYPE.VERSION.GROUP`, split at its first dots.
struct TypeWord {
  std::string_view type;
  std::string_view group;                 ///< all behind the first dot; empty if there is none
  std::string_view version;               ///< if the second part may be a version …
  std::string_view group_behind_version;  ///< … then this is its group (empty: core, `pods.v1.`)

  bool has_version() const { return !version.empty(); }
};
TypeWord split_type_word(std::string_view word);

/// The first of `types` that is called `name`, exact plurals before short names before singulars
/// and kinds (any case); null if none is.
const ApiResource* find_type(std::span<const ApiResource> types, std::string_view name);

/// The same among those of one group, or, if no group is called so, of the first whose name
/// begins with it (`autoscal`), as kubectl does.
const ApiResource* find_type_in_group(std::span<const ApiResource> types, std::string_view name,
                                      std::string_view group);

/// `the server doesn't have a resource type "poods"`, with similar names as a hint.
Error unknown_type(std::string_view word, std::span<const ApiResource> types);

}  // namespace kinf
