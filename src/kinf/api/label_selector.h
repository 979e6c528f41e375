// SPDX-License-Identifier: Apache-2.0
// LabelSelector: `app=web,tier in (a,b),!canary` parsed, printed and matched as the API server
// does it (apimachinery pkg/labels). What the server cannot be asked is matched here.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/base/error.h"

namespace kinf {

enum class LabelOperator {
  exists,
  does_not_exist,
  equals,         ///< written `=`
  double_equals,  ///< written `==`; the same, but printed as it was written
  not_equals,
  in,
  not_in,
  greater_than,
  less_than,
};

struct LabelRequirement {
  std::string key;
  LabelOperator op = LabelOperator::exists;
  std::vector<std::string> values;  ///< sorted, without duplicates

  friend bool operator==(const LabelRequirement&, const LabelRequirement&) = default;
};

/// The value of a label, if the object has it; an empty value is a value.
using LabelLookup = std::function<std::optional<std::string_view>(std::string_view key)>;

/// Threads: immutable; every call from any thread.
class LabelSelector {
 public:
  /// Matches everything.
  LabelSelector() = default;
  /// A usage error with the API server's own text.
  static Result<LabelSelector> parse(std::string_view text);
  /// Matches nothing; prints like the one that matches everything, as in client-go.
  static LabelSelector nothing();

  bool matches(const Object& object) const;
  bool matches(const LabelLookup& labels) const;

  /// Matches everything.
  bool empty() const { return !nothing_ && requirements_.empty(); }
  bool matches_nothing() const { return nothing_; }
  /// Sorted by key; all must hold.
  const std::vector<LabelRequirement>& requirements() const { return requirements_; }
  /// Can be parsed again: requirements sorted by key, values sorted.
  std::string to_string() const;

 private:
  std::vector<LabelRequirement> requirements_;
  bool nothing_ = false;
};

}  // namespace kinf
