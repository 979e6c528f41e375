// SPDX-License-Identifier: Apache-2.0
// SelectedVersions: the versions of a few objects of a recording, in the order in which they
// arrived. It finds them by the index, so that versions of other objects are not read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"

namespace kinf {

class Database;

/// Selects objects. An empty `ns` or `name` means all.
struct ObjectSelection {
  std::int64_t type = 0;
  bool is_namespaced = true;
  std::string_view ns{};
  std::string_view name{};
};

/// Returns the ids of the selected objects, sorted; nullopt if there are more than `most`.
Result<std::optional<std::vector<std::int64_t>>> find_objects(Database& database,
                                                              const ObjectSelection& selection,
                                                              std::size_t most);

/// Threads: one owner.
class SelectedVersions {
 public:
  /// Finds the versions of all selections after `after` and up to `last`. Returns nullopt if they
  /// are so many that it is faster to read all versions of the recording.
  static Result<std::optional<SelectedVersions>> find(Database& database,
                                                      std::span<const ObjectSelection> selections,
                                                      std::int64_t after, std::int64_t last);

  /// Returns the `seq` of the next version; nullopt at the end.
  std::optional<std::int64_t> next() {
    return next_ == seqs_.size() ? std::nullopt : std::optional(seqs_[next_++]);
  }

 private:
  std::vector<std::int64_t> seqs_;
  std::size_t next_ = 0;
};

}  // namespace kinf
