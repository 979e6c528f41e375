// SPDX-License-Identifier: Apache-2.0
// LabelSelector and FieldSelector: parse, print and match selectors such as `app=web,tier in (a,b)`
// and `metadata.name=web,status.phase!=Running` (apimachinery pkg/labels and pkg/fields).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/base/error.h"

namespace [[gnu::visibility("default")]] kinf {

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

  /// Returns whether the selector matches everything.
  bool empty() const { return !nothing_ && requirements_.empty(); }
  bool matches_nothing() const { return nothing_; }
  /// Returns the requirements, sorted by key. An object matches if it meets all of them.
  const std::vector<LabelRequirement>& requirements() const { return requirements_; }
  /// Returns a text that parse() parses to an equal selector. Keys and values are sorted.
  std::string to_string() const;

 private:
  std::vector<LabelRequirement> requirements_;
  bool nothing_ = false;
};

// Field selectors accept all field names.

/// One condition of a selector.
struct FieldRequirement {
  std::string field;  ///< used literally; may be empty
  bool equal = true;  ///< true for `=` and `==`, false for `!=`
  std::string value;  ///< without escapes

  friend bool operator==(const FieldRequirement&, const FieldRequirement&) = default;
};

/// Returns the value of a field; empty if it is absent.
using FieldLookup = std::function<std::string(std::string_view field)>;

/// Immutable.
/// Threads: every call from any thread.
class FieldSelector {
 public:
  /// Creates a selector that matches everything.
  FieldSelector() = default;
  /// Parses a selector. Errors: usage, with the API server's message.
  static Result<FieldSelector> parse(std::string_view text);

  bool matches(const FieldLookup& fields) const;
  bool empty() const { return requirements_.empty(); }
  /// Returns the requirements, sorted bytewise by their text in the selector. An object matches if
  /// it meets all of them.
  const std::vector<FieldRequirement>& requirements() const { return requirements_; }
  /// Returns a text that parse() parses to an equal selector.
  std::string to_string() const;

 private:
  std::vector<FieldRequirement> requirements_;
};

/// Returns `value` with a backslash before each special character (`\`, `,`, `=`).
std::string escape_field_value(std::string_view value);

/// Appends `metadata.name=` and `name` to the text of a field selector.
void select_name(std::string& selector, std::string_view name);

}  // namespace kinf
