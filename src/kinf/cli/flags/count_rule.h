// SPDX-License-Identifier: Apache-2.0
// CountRule: a comparison with a number, such as `>=3` (--count).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "kinf/base/error.h"

namespace kinf {

/// Threads: immutable.
class CountRule {
 public:
  /// Parses `=N` (or `==N`, or `N`), `!=N`, `<N`, `<=N`, `>N` or `>=N`. Errors: usage.
  static Result<CountRule> parse(std::string_view text);

  bool holds(std::size_t count) const;
  /// Returns the rule in words: `at least 3`.
  std::string words() const;

 private:
  enum class Comparison { equal, unequal, less, at_most, more, at_least };

  Comparison comparison_ = Comparison::equal;
  std::size_t number_ = 0;
};

}  // namespace kinf
