// SPDX-License-Identifier: Apache-2.0
// DiffPath: where in an object a difference is, and patterns that select such places.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/query/merge_keys.h"

namespace kinf {

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

/// `.status.conditions[Ready].status`. Dots and brackets in names are escaped with a backslash.
std::string path_text(std::span<const DiffStep> path);

/// Selects a place and everything below it: names, merge keys, positions, and `[*]` for every item
/// of a list or member of an object. Threads: immutable.
class DiffPattern {
 public:
  /// Reads what path_text() writes, also `.*`, `[*]` and names in quotes: `['a.b']`. A usage error
  /// for anything else.
  static Result<DiffPattern> parse(std::string_view text);

  /// `path` is the selected place, or below it.
  bool covers(std::span<const DiffStep> path) const;
  /// The selected place can be below `path`.
  bool is_below(std::span<const DiffStep> path) const;

 private:
  struct Step {
    bool is_any = false;
    std::string name;  ///< also the number of a position
  };
  static bool matches(const Step& step, const DiffStep& at);

  std::vector<Step> steps_;
};

}  // namespace kinf
