// SPDX-License-Identifier: Apache-2.0
// The list fields of Kubernetes types: which members identify an item, and whether each item has
// its own owners in managedFields. Objects do not carry their schema, so a list is looked up by its
// name and the name of the member that contains it.
//
// A list has two independent properties. First, a strategic merge patch merges the items or
// replaces the list (`patchStrategy` and `patchMergeKey` in the Go types). Second, managedFields
// names the owners of each item or of the whole list (`listType` and `listMapKey`). Both identify
// an item by the same members, but a patch uses only the first of these members.
#pragma once

#include <span>
#include <string_view>

namespace kinf {

/// The members whose values together identify an item of a list.
struct MergeKey {
  std::string_view first;        ///< a member name; empty if the items are strings
  std::string_view second = {};  ///< a member that an item may lack; empty if there is none
  char separator = '/';          ///< between the two values in a diff: `80/TCP`
  bool is_number = false;        ///< the value of `first` is a number
};

struct ListField {
  std::string_view name;
  std::string_view parent;  ///< the member that contains the list or its parent list; empty: any
  const MergeKey* key;
  bool is_merged = false;      ///< whether a strategic merge patch merges the items
  bool has_owners = false;     ///< whether each item has its own owners (listType map or set)
  std::string_view kind = {};  ///< the kind of the object; empty means any kind
};

/// Returns all known lists of this name, for callers that do not know the member that contains the
/// list. Empty if there are none.
std::span<const ListField> lists_named(std::string_view name);

/// Returns the list `name` of the member `parent` in an object of this kind. Returns null for an
/// unknown list, which is replaced and owned as a whole.
const ListField* find_list(std::string_view name, std::string_view parent,
                           std::string_view kind = {});

/// Returns the default value of a member of a merge key: TCP for `protocol`, otherwise empty.
std::string_view default_in_key(std::string_view member);

}  // namespace kinf
