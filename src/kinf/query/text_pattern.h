// SPDX-License-Identifier: Apache-2.0
// TextPattern: a regular expression for searching texts. Also splits the filters of a JSONPath.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "kinf/base/error.h"

namespace kinf {

/// A regular expression for searching texts. The syntax is that of JavaScript (ECMAScript) without
/// back-references. The time of a search is proportional to the text's length and to the pattern's
/// size, which are limited so that a search takes at most about 2 s. The stack does not grow with
/// the text. Therefore, untrusted patterns and texts are safe.
/// Threads: immutable after parse(); copies share the expression.
class TextPattern {
 public:
  /// Fails with a usage error if `text` is not a regular expression, is longer than 1,000 bytes, or
  /// repeats parts so often that it has more than 1,000 states.
  static Result<TextPattern> parse(std::string_view text, bool ignore_case = false);

  /// Returns whether the expression matches a part of `text`. Fails with kind `protocol` if the
  /// search would take too long, because `text` is longer than 32 MiB divided by the number of
  /// states of the pattern.
  Result<bool> is_in(std::string_view text) const;

 private:
  struct Expression;
  std::shared_ptr<const Expression> expression_;
};

namespace jsonpath {

// Functions that split a JSONPath filter. They ignore text in quotes and brackets.

/// Returns the text before the parenthesis that closes the filter. `text` starts after `[?(`.
/// Returns nullopt if the same line has no such parenthesis.
std::optional<std::string_view> filter_body(std::string_view text);

/// Splits `text` before and after the first `word` outside of quotes and brackets. Returns nullopt
/// if there is none.
std::optional<std::pair<std::string_view, std::string_view>> split_filter(std::string_view text,
                                                                          std::string_view word);

/// Returns whether `text` is one expression in parentheses.
bool is_in_parentheses(std::string_view text);

/// Returns true for a filter that only kinf understands: with `&&`, `||`, `=~`, a leading `!`, or
/// parentheses around a part of it.
bool is_extended_filter(std::string_view text);

}  // namespace jsonpath

}  // namespace kinf
