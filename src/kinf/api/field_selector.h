// SPDX-License-Identifier: Apache-2.0
// FieldSelector: `metadata.name=web,status.phase!=Running` parsed, printed and matched as the API
// server does it (apimachinery pkg/fields). Which fields exist is the server's business.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"

namespace kinf {

struct FieldRequirement {
  std::string field;  ///< taken literally, may be empty
  bool equal = true;  ///< `=` and `==`; else `!=`
  std::string value;  ///< escapes resolved

  friend bool operator==(const FieldRequirement&, const FieldRequirement&) = default;
};

/// The value of a field; empty if it is absent.
using FieldLookup = std::function<std::string(std::string_view field)>;

/// Threads: immutable; every call from any thread.
class FieldSelector {
 public:
  /// Matches everything.
  FieldSelector() = default;
  /// A usage error with the API server's own text.
  static Result<FieldSelector> parse(std::string_view text);

  bool matches(const FieldLookup& fields) const;
  bool empty() const { return requirements_.empty(); }
  /// In the byte order of their texts; all must hold.
  const std::vector<FieldRequirement>& requirements() const { return requirements_; }
  /// Can be parsed again.
  std::string to_string() const;

 private:
  std::vector<FieldRequirement> requirements_;
};

/// `value` with backslashes before what would end it (`\`, `,`, `=`).
std::string escape_field_value(std::string_view value);

}  // namespace kinf
