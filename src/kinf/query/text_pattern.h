// SPDX-License-Identifier: Apache-2.0
// TextPattern: a regular expression to search in texts.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "kinf/base/error.h"

namespace kinf {

/// The syntax is that of JavaScript (ECMAScript) without back-references. The time of a search is
/// proportional to the length of the text and to the size of the pattern, and both are bounded: to
/// about 2 s. The stack is bounded by the pattern. So untrusted patterns and texts are safe.
/// Threads: immutable after parse(); copies share the expression.
class TextPattern {
 public:
  /// Fails with a usage error if `text` is not a regular expression, is longer than 1,000 bytes, or
  /// repeats parts so often that it has more than 1,000 states.
  static Result<TextPattern> parse(std::string_view text, bool ignore_case = false);

  /// Returns whether the expression matches a part of `text`. Fails with kind `protocol` if the
  /// search would take too long: if `text` has more than 32 MiB divided by the number of states.
  Result<bool> is_in(std::string_view text) const;

 private:
  struct Expression;
  std::shared_ptr<const Expression> expression_;
};

namespace jsonpath {

// Finds the parts of a JSONPath filter: what is outside of its quotes and brackets.

/// Returns the text up to the parenthesis that closes the filter; `text` is what follows `[?(`.
/// Returns nullopt if there is none on the same line.
std::optional<std::string_view> filter_body(std::string_view text);

/// Splits `text` at the first `word` outside of quotes and brackets. Returns nullopt if there is
/// none.
std::optional<std::pair<std::string_view, std::string_view>> split_filter(std::string_view text,
                                                                          std::string_view word);

/// Returns whether `text` is one expression in parentheses.
bool is_in_parentheses(std::string_view text);

/// Returns true for a filter that only kinf understands: with `&&`, `||`, `=~`, a leading `!`, or
/// parentheses around a part of it.
bool is_extended_filter(std::string_view text);

}  // namespace jsonpath

}  // namespace kinf
