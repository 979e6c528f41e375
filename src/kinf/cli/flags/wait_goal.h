// SPDX-License-Identifier: Apache-2.0
// WaitGoal: what `kinf wait` waits for, as the user stated it; CountRule: its --count.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/query/condition.h"

namespace kinf {

/// A comparison with a number, such as `>=3`.
/// Threads: immutable.
class CountRule {
 public:
  /// Parses `=N` (or `==N`, or `N`), `!=N`, `<N`, `<=N`, `>N` or `>=N`. Errors: usage.
  static Result<CountRule> parse(std::string_view text);

  bool holds(std::size_t count) const;
  /// Returns the rule in words: `at least 3`.
  std::string words() const;

 private:
  /// How a count may compare with the number.
  struct Operator {
    std::string_view sign;
    std::string_view words;
    bool less = false;
    bool equal = false;
    bool more = false;
  };
  static const std::array<Operator, 8> kOperators;

  Operator operator_;
  std::size_t number_ = 0;
};

struct WaitGoal {
  std::vector<Condition> conditions;  ///< --for; never empty
  std::vector<Condition> failures;    ///< --fail-on
  bool any = false;                   ///< one of `conditions` is enough
  bool ever = false;                  ///< a condition counts once it has held
  std::optional<CountRule> count;     ///< nullopt: every object
  Clock::Duration duration{};         ///< how long all of it must hold

  /// Returns whether `delete` is one of the conditions.
  bool awaits_deletion() const;
  /// Returns whether `condition`, once it has held, stays met. With `ever`, all conditions do.
  /// `delete` does unless `duration` is set, because a later object of the same name is a different
  /// object. Without `any`, so do the conditions combined with `delete`, because they cannot hold
  /// for a deleted object.
  bool is_kept(const Condition& condition) const;
  /// Returns whether only the objects of the initial list are awaited, as `kubectl wait
  /// --for=delete` does, and not those that appear later.
  bool awaits_initial_only() const;
  /// Returns whether one of the conditions reads documents.
  bool needs_document() const;
  /// Returns whether one of the conditions certainly reads objects beyond their metadata.
  bool reads_beyond_metadata() const;
  /// Returns whether one of the conditions reads status.conditions.
  bool needs_status() const;
};

/// Parses the values of --for or --fail-on. Errors: usage; messages start with `flag` or are
/// kubectl's.
Result<std::vector<Condition>> parse_conditions(const std::vector<std::string>& texts,
                                                std::string_view flag);

}  // namespace kinf
