// SPDX-License-Identifier: Apache-2.0
// The merge keys of Kubernetes' lists: which fields tell the items of a list apart, as the
// strategic merge patch has it. A table, since objects do not carry their schema.
#pragma once

#include <span>
#include <string_view>

namespace kinf {

/// Fields that together name an item. Only the first must be there.
struct MergeKey {
  std::string_view first;
  std::string_view second;  ///< empty: none
  char separator = '/';     ///< between them where they are shown: `80/TCP`
  bool is_number = false;   ///< the first is
};

/// What may tell apart the items of lists in a field of this name, best first. Empty: nothing.
std::span<const MergeKey> merge_keys(std::string_view field);

/// Returns whether `field` is a list of strings whose order does not matter, such as `finalizers`.
bool is_set(std::string_view field);

}  // namespace kinf
