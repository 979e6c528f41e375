// SPDX-License-Identifier: Apache-2.0
// The differences between two JSON documents of one Kubernetes object. Equal parts are compared as
// bytes and not looked into, so that two large and nearly equal documents cost little more than
// reading one of them.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/query/diff_path.h"

namespace kinf {

/// One value that changed, was added or was removed. The values are pieces of the documents, as
/// the server wrote them: strings with quotes, numbers with all their digits.
struct Difference {
  DiffPath path;
  std::string_view old_value;  ///< empty: added
  std::string_view new_value;  ///< empty: removed
};

/// A list whose items were added, removed or moved.
struct ListOrder {
  struct Item {
    std::size_t old_index = kNoIndex;  ///< kNoIndex: added
    std::string_view added;            ///< its value then
  };
  DiffPath path;
  std::size_t old_size = 0;
  std::vector<Item> items;  ///< of the new list, in its order
};

/// Both in the order of the documents; a list comes before the lists inside it.
struct ObjectDiff {
  std::vector<Difference> changes;
  std::vector<ListOrder> lists;
};

/// Items of lists are matched by their merge keys (merge_keys.h), by position where there is none:
/// an item that only moved is no difference. So is a string that is only escaped in another way.
/// A protocol error for a document that cannot be read; equal parts, and values
/// that are replaced as a whole, are not checked.
/// Threads: any. The result has views into both documents.
Result<ObjectDiff> diff(std::string_view old_json, std::string_view new_json);

/// If `change` added or removed a list whose items have merge keys: its items, one by one.
/// Otherwise the change itself.
std::vector<Difference> expanded(const Difference& change);

}  // namespace kinf
