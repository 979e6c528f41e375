// SPDX-License-Identifier: Apache-2.0
// FieldSelector: parses, prints and matches field selectors such as
// `metadata.name=web,status.phase!=Running` (apimachinery pkg/fields). Accepts all field names.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"

namespace kinf {

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
  /// An object matches if it meets all requirements. Sorted bytewise by their text in the selector.
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
