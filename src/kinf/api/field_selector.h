// SPDX-License-Identifier: Apache-2.0
// FieldSelector: parses, prints and matches `metadata.name=web,status.phase!=Running` as the API
// server does (apimachinery pkg/fields). Does not know which fields exist.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"

namespace kinf {

/// One condition of a selector.
struct FieldRequirement {
  std::string field;  ///< taken literally, may be empty
  bool equal = true;  ///< `=` and `==`; else `!=`
  std::string value;  ///< escapes resolved

  friend bool operator==(const FieldRequirement&, const FieldRequirement&) = default;
};

/// Returns the value of a field; empty if it is absent.
using FieldLookup = std::function<std::string(std::string_view field)>;

/// Threads: immutable; every call from any thread.
class FieldSelector {
 public:
  /// Matches everything.
  FieldSelector() = default;
  /// Errors: usage, with the API server's message.
  static Result<FieldSelector> parse(std::string_view text);

  bool matches(const FieldLookup& fields) const;
  bool empty() const { return requirements_.empty(); }
  /// All must hold. Sorted by the bytes of their texts.
  const std::vector<FieldRequirement>& requirements() const { return requirements_; }
  /// Returns a text that parse() reads as the same selector.
  std::string to_string() const;

 private:
  std::vector<FieldRequirement> requirements_;
};

/// Returns `value` with a backslash before each character that would end it (`\`, `,`, `=`).
std::string escape_field_value(std::string_view value);

/// Adds the requirement that the object is called `name` to the text of a field selector.
void select_name(std::string& selector, std::string_view name);

}  // namespace kinf
