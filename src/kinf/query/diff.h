// SPDX-License-Identifier: Apache-2.0
// Finds the differences between two JSON documents of one Kubernetes object. Compares equal parts
// as bytes without parsing them, so that two large and nearly equal documents cost little more than
// reading one of them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/kubernetes/merge_keys.h"

namespace kinf {

// DiffPath: where in an object a difference is, and patterns that select such places.

struct DiffStep {
  enum class Kind {
    member,    ///< of an object: `.name`
    item,      ///< of a list, found by its merge key: `[name]`
    position,  ///< of a list without merge keys: `[0]`
  };

  Kind kind = Kind::member;
  std::string name;               ///< of a member; an item's merge key
  std::size_t old_index = 0;      ///< in the old list; kNoIndex if it is not there
  std::size_t new_index = 0;      ///< in the new list; kNoIndex if it is not there
  const MergeKey* key = nullptr;  ///< of an item: the fields its name is made of; null: the value
};

constexpr std::size_t kNoIndex = static_cast<std::size_t>(-1);

using DiffPath = std::vector<DiffStep>;

/// Returns a path such as `.status.conditions[Ready].status`. Escapes dots and brackets in names
/// with a backslash.
std::string path_text(std::span<const DiffStep> path);

/// Selects a place and everything below it: names, merge keys, positions, and `[*]` for every item
/// of a list or member of an object. Threads: immutable.
class DiffPattern {
 public:
  /// Parses what path_text() writes, and also `.*`, `[*]` and names in quotes: `['a.b']`. Fails
  /// with a usage error for anything else.
  static Result<DiffPattern> parse(std::string_view text);

  /// Returns whether `path` is the selected place, or below it.
  bool covers(std::span<const DiffStep> path) const;
  /// Returns whether the selected place can be below `path`.
  bool is_below(std::span<const DiffStep> path) const;

 private:
  struct Step {
    bool is_any = false;
    std::string name;  ///< also the number of a position
  };
  static bool matches(const Step& step, const DiffStep& at);

  std::vector<Step> steps_;
};

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

/// Both members are in the order of the documents; a list comes before the lists inside it.
struct ObjectDiff {
  std::vector<Difference> changes;
  std::vector<ListOrder> lists;
};

/// Returns the differences, as views into both documents. Matches the items of lists by their merge
/// keys (kubernetes/merge_keys.h), or by position where there are none. An item that only moved is
/// not a difference. Neither is a string that is only escaped differently. Fails with kind
/// `protocol` if a document cannot be read; does not check equal parts and values that are replaced
/// as a whole. Threads: any.
Result<ObjectDiff> diff(std::string_view old_json, std::string_view new_json);

/// Returns the items, one by one, if `change` added or removed a list whose items have merge keys;
/// otherwise the change itself.
std::vector<Difference> expanded(const Difference& change);

}  // namespace kinf
