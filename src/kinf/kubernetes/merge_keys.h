// SPDX-License-Identifier: Apache-2.0
// The lists in Kubernetes' types: how to tell their items apart, and whether each item has its own
// owners. Objects do not carry their schema, so a list is found by its name and the member around
// it.
//
// A list has two independent facts. A strategic merge patch merges its items or replaces it
// (`patchStrategy` and `patchMergeKey` in the Go types). managedFields names an owner for each item
// or one for the list (`listType` and `listMapKey`). Both use the same members of an item, but a
// patch only the first.
#pragma once

#include <span>
#include <string_view>

namespace kinf {

/// The members that together name an item of a list.
struct MergeKey {
  std::string_view first;        ///< empty: the items are strings, which are their own names
  std::string_view second = {};  ///< empty: none. An item may lack it
  char separator = '/';          ///< between the two in a diff: `80/TCP`
  bool is_number = false;        ///< `first` is a number
};

struct ListField {
  std::string_view name;
  std::string_view parent;  ///< the member that has the list, or whose items have it; empty: any
  const MergeKey* key;
  bool is_merged = false;   ///< a strategic merge patch merges the items; false: it replaces them
  bool has_owners = false;  ///< each item has its owners (listType map or set); false: the list
  std::string_view kind = {};  ///< only in objects of this kind; empty: in all
};

/// Returns all lists of this name, for callers that do not know the surrounding member. Empty if it
/// is not known how to tell their items apart.
std::span<const ListField> lists_named(std::string_view name);

/// Returns the list `name` of the member `parent` in an object of this kind; null: it is replaced
/// and owned as a whole.
const ListField* find_list(std::string_view name, std::string_view parent,
                           std::string_view kind = {});

/// Returns what a member of a key means where it is absent: TCP for `protocol`; otherwise empty.
std::string_view default_in_key(std::string_view member);

}  // namespace kinf
