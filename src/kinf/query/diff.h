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

// DiffPath: the path of a value in an object. DiffPattern: selects such paths.

struct DiffStep {
  enum class Kind {
    member,    ///< a member of a JSON object: `.name`
    item,      ///< an item of a list that has merge keys: `[name]`
    position,  ///< an item of a list without merge keys: `[0]`
  };

  Kind kind = Kind::member;
  std::string name;               ///< a member's name, an item's merge key, or a position as text
  std::size_t old_index = 0;      ///< index in the old list; kNoIndex if the item was added
  std::size_t new_index = 0;      ///< index in the new list; kNoIndex if the item was removed
  const MergeKey* key = nullptr;  ///< the fields that name an item; null if its value is its name
};

constexpr std::size_t kNoIndex = static_cast<std::size_t>(-1);

using DiffPath = std::vector<DiffStep>;

/// Returns a path such as `.status.conditions[Ready].status`. Escapes dots and brackets in names
/// with a backslash.
std::string path_text(std::span<const DiffStep> path);

/// Selects one path (several if it contains wildcards) and all paths below. A pattern consists of
/// names, merge keys and positions. `[*]` stands for each item of a list or member of an object.
/// Threads: immutable.
class DiffPattern {
 public:
  /// Parses the format of path_text(), and also `.*`, `[*]` and names in quotes: `['a.b']`. Fails
  /// with a usage error for anything else.
  static Result<DiffPattern> parse(std::string_view text);

  /// Returns whether `path` is selected: whether the pattern matches `path` or a parent of it.
  bool covers(std::span<const DiffStep> path) const;
  /// Returns whether the pattern can match a path below `path`.
  bool is_below(std::span<const DiffStep> path) const;

 private:
  struct Step {
    bool is_any = false;
    std::string name;  ///< a name, a merge key, or a position as text
  };
  static bool matches(const Step& step, const DiffStep& at);

  std::vector<Step> steps_;
};

/// One value that changed, was added or was removed. `old_value` and `new_value` are pieces of the
/// documents as the server wrote them: strings with quotes, numbers with all their digits.
struct Difference {
  DiffPath path;
  std::string_view old_value;  ///< empty if the value was added
  std::string_view new_value;  ///< empty if the value was removed
};

/// A list whose items were added, removed or moved.
struct ListOrder {
  struct Item {
    std::size_t old_index = kNoIndex;  ///< kNoIndex if the item was added
    std::string_view added;            ///< the value of an added item; otherwise empty
  };
  DiffPath path;
  std::size_t old_size = 0;
  std::vector<Item> items;  ///< the items of the new list, in its order
};

/// The differences of two documents, in document order. In `lists`, a list is before the lists
/// inside it.
struct ObjectDiff {
  std::vector<Difference> changes;
  std::vector<ListOrder> lists;
};

/// Returns the differences, as views into both documents. Matches the items of lists by their merge
/// keys (kubernetes/merge_keys.h), or by position if a list has none. An item that only moved is
/// not in ObjectDiff::changes. A string that is only escaped differently is not a difference. Fails
/// with kind `protocol` if a document is invalid, but does not check equal parts or values that are
/// replaced as a whole. If the paths of all differences would take more than 64 MiB, returns one
/// difference with an empty path. Threads: any.
Result<ObjectDiff> diff(std::string_view old_json, std::string_view new_json);

/// Returns one difference per item if `change` added or removed a whole list whose items have merge
/// keys. Otherwise returns only `change`.
std::vector<Difference> expanded(const Difference& change);

}  // namespace kinf
