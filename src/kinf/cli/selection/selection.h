// SPDX-License-Identifier: Apache-2.0
// Selection: the conditions on objects that kinf checks itself because the server cannot.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "kinf/api/object.h"

namespace kinf {

/// Threads: immutable after the informers have started; the conditions are called from any thread.
class Selection {
 public:
  /// A condition on an object that is checked when the object changes. `old` is the previous state;
  /// null for an addition.
  using Condition = std::function<bool(const Object& object, const Object* old)>;
  /// A condition whose result can change although the object does not: it depends on the labels of
  /// the object's namespace, or on its owners. SelectingHandler::refresh() checks it again.
  using Membership = std::function<bool(const Object& object)>;

  void add(Condition condition) { conditions_.push_back(std::move(condition)); }
  void add_membership(Membership membership) { memberships_.push_back(std::move(membership)); }

  /// Returns true if every object is selected.
  bool selects_all() const { return conditions_.empty() && memberships_.empty(); }
  bool has_memberships() const { return !memberships_.empty(); }

  bool passes_conditions(const Object& object, const Object* old) const {
    for (const Condition& condition : conditions_) {
      if (!condition(object, old)) return false;
    }
    return true;
  }
  bool is_member(const Object& object) const {
    for (const Membership& membership : memberships_) {
      if (!membership(object)) return false;
    }
    return true;
  }
  /// Returns true if an object in a cache is selected.
  bool selects(const Object& object) const {
    return passes_conditions(object, nullptr) && is_member(object);
  }

 private:
  std::vector<Condition> conditions_;
  std::vector<Membership> memberships_;
};

}  // namespace kinf
