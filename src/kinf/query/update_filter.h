// SPDX-License-Identifier: Apache-2.0
// UpdateFilter: which updates count: `--changed` and `--ignore`.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/query/ignored_paths.h"
#include "kinf/query/index_spec.h"

namespace kinf {

/// Threads: immutable.
class UpdateFilter {
 public:
  /// Returns true if the filter passes every update.
  UpdateFilter() = default;
  /// An update counts if the values at one of the JSONPaths `changed` differ (empty: always), and
  /// if something that is not ignored differs. A usage error for what is no such path.
  static Result<UpdateFilter> parse(std::span<const std::string> changed,
                                    std::span<const std::string> ignored);

  /// Every update counts.
  bool passes_all() const { return changed_.empty() && ignored_.empty(); }
  /// Returns true if it reads more of an object than its metadata.
  bool needs_whole_object() const { return !ignored_.empty() || changed_needs_whole_object(); }
  /// Like needs_whole_object(), but only for the paths that must have changed.
  bool changed_needs_whole_object() const;
  /// A document that cannot be read counts as changed.
  bool passes(const Object& old_object, const Object& object) const;

  const IgnoredPaths& ignored() const { return ignored_; }

 private:
  std::vector<IndexSpec> changed_;
  IgnoredPaths ignored_;
};

}  // namespace kinf
