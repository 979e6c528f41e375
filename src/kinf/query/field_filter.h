// SPDX-License-Identifier: Apache-2.0
// FieldFilter: evaluates the parts of a field selector that the server does not support.
#pragma once

#include <atomic>
#include <vector>

#include "kinf/api/field_selector.h"
#include "kinf/api/object.h"
#include "kinf/base/sync.h"

namespace kinf {

/// Threads: any.
class FieldFilter {
 public:
  /// Adds a requirement on a field such as `spec.replicas`. Call it before the first object
  /// arrives.
  void add(FieldRequirement requirement);
  /// Returns whether the object's document meets all requirements. As on a server, a missing field
  /// is empty; numbers and booleans are compared as JSON text.
  bool matches(const Object& object) const;

 private:
  mutable Mutex mu_;
  std::vector<FieldRequirement> requirements_ KINF_GUARDED_BY(mu_);
  std::atomic<bool> is_empty_ = true;
};

}  // namespace kinf
