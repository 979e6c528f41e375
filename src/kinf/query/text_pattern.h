// SPDX-License-Identifier: Apache-2.0
// TextPattern: a regular expression to search in texts.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "kinf/base/error.h"

namespace kinf {

/// The syntax is that of JavaScript (ECMAScript) without back-references. The time of a search is
/// proportional to the length of the text and to the size of the pattern, and both are bounded: to
/// about 2 s. The stack is bounded by the pattern. So pattern and text may be hostile.
/// Threads: immutable after parse(); copies share the expression.
class TextPattern {
 public:
  /// Fails with a usage error if `text` is not a regular expression, is longer than 1,000 bytes, or
  /// repeats parts so often that it has more than 1,000 states.
  static Result<TextPattern> parse(std::string_view text, bool ignore_case = false);

  /// Returns true if the expression matches a part of `text`. Fails with kind `protocol` if the
  /// search would take too long: if `text` has more than 32 MiB divided by the number of states.
  Result<bool> is_in(std::string_view text) const;

 private:
  struct Expression;
  std::shared_ptr<const Expression> expression_;
};

}  // namespace kinf
