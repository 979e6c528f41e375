// SPDX-License-Identifier: Apache-2.0
// LabelSelector: parses, prints and matches `app=web,tier in (a,b),!canary` as the API server does
// (apimachinery pkg/labels).
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

/// One condition of a selector.
struct LabelRequirement {
  std::string key;
  LabelOperator op = LabelOperator::exists;
  std::vector<std::string> values;  ///< sorted, without duplicates

  friend bool operator==(const LabelRequirement&, const LabelRequirement&) = default;
};

/// Returns the value of a label, nothing if the object does not have it.
using LabelLookup = std::function<std::optional<std::string_view>(std::string_view key)>;

/// Threads: immutable; every call from any thread.
class LabelSelector {
 public:
  /// Matches everything.
  LabelSelector() = default;
  /// Errors: usage, with the API server's message.
  static Result<LabelSelector> parse(std::string_view text);
  /// Returns a selector that matches nothing. It prints like the one that matches everything, as in
  /// client-go.
  static LabelSelector nothing();

  bool matches(const Object& object) const;
  bool matches(const LabelLookup& labels) const;

  /// Whether it matches everything.
  bool empty() const { return !nothing_ && requirements_.empty(); }
  bool matches_nothing() const { return nothing_; }
  /// All must hold. Sorted by key.
  const std::vector<LabelRequirement>& requirements() const { return requirements_; }
  /// Returns a text that parse() reads as the same selector: keys and values sorted.
  std::string to_string() const;

 private:
  std::vector<LabelRequirement> requirements_;
  bool nothing_ = false;
};

}  // namespace kinf
