// SPDX-License-Identifier: Apache-2.0
// LabelSelector: parses, prints and matches label selectors such as `app=web,tier in (a,b),!canary`
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
  double_equals,  ///< written `==`; the same as `=`, but printed as `==`
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

/// Returns the value of a label; nullopt if the object does not have the label.
using LabelLookup = std::function<std::optional<std::string_view>(std::string_view key)>;

/// Immutable.
/// Threads: every call from any thread.
class LabelSelector {
 public:
  /// Creates a selector that matches everything.
  LabelSelector() = default;
  /// Parses a selector. Errors: usage, with the API server's message.
  static Result<LabelSelector> parse(std::string_view text);
  /// Returns a selector that matches nothing. Its to_string() is empty, as in client-go.
  static LabelSelector nothing();

  bool matches(const Object& object) const;
  bool matches(const LabelLookup& labels) const;

  /// Returns true if the selector matches everything.
  bool empty() const { return !nothing_ && requirements_.empty(); }
  bool matches_nothing() const { return nothing_; }
  /// An object matches if it meets all requirements. Sorted by key.
  const std::vector<LabelRequirement>& requirements() const { return requirements_; }
  /// Returns a text that parse() parses to an equal selector. Keys and values are sorted.
  std::string to_string() const;

 private:
  std::vector<LabelRequirement> requirements_;
  bool nothing_ = false;
};

}  // namespace kinf
