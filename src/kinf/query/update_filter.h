// SPDX-License-Identifier: Apache-2.0
// UpdateFilter: selects the updates that `--changed` and `--ignore` let pass.
#pragma once

#include <atomic>
#include <span>
#include <string>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/api/selectors.h"
#include "kinf/base/sync.h"
#include "kinf/query/ignored_paths.h"
#include "kinf/query/index_spec.h"

namespace kinf {

/// Threads: immutable.
class UpdateFilter {
 public:
  /// Creates a filter that passes every update.
  UpdateFilter() = default;
  /// Parses the paths of the flags. An update passes if the values at one of the JSONPaths
  /// `changed` differ (or if `changed` is empty), and if a value outside the paths `ignored`
  /// differs. Fails with a usage error for invalid paths.
  static Result<UpdateFilter> parse(std::span<const std::string> changed,
                                    std::span<const std::string> ignored);

  /// Returns whether every update passes.
  bool passes_all() const { return changed_.empty() && ignored_.empty(); }
  /// Returns whether passes() reads more of an object than its metadata.
  bool needs_whole_object() const { return !ignored_.empty() || changed_needs_whole_object(); }
  /// Like needs_whole_object(), but only for the paths of `--changed`.
  bool changed_needs_whole_object() const;
  /// Returns whether the update passes. `--ignore` never drops an update whose old or new document
  /// is invalid JSON.
  bool passes(const Object& old_object, const Object& object) const;

  const IgnoredPaths& ignored() const { return ignored_; }

 private:
  std::vector<IndexSpec> changed_;
  IgnoredPaths ignored_;
};

// FieldFilter: evaluates the requirements of a field selector that the server does not support.

/// Threads: any.
class FieldFilter {
 public:
  /// Adds a requirement on a field such as `spec.replicas`. Call it before the first object
  /// arrives.
  void add(FieldRequirement requirement);
  /// Returns whether the object's document meets all requirements. As on a server, a missing field
  /// counts as an empty string, and numbers and booleans are compared as JSON text.
  bool matches(const Object& object) const;

 private:
  mutable Mutex mu_;
  std::vector<FieldRequirement> requirements_ KINF_GUARDED_BY(mu_);
  std::atomic<bool> is_empty_ = true;
};

}  // namespace kinf
