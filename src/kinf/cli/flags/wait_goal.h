// SPDX-License-Identifier: Apache-2.0
// WaitGoal: what `kinf wait` waits for, according to its flags. CountRule: the value of --count.
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
  /// A comparison operator. `less`, `equal` and `more` tell which counts satisfy it.
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
  std::vector<Condition> conditions;  ///< the conditions of --for; never empty
  std::vector<Condition> failures;    ///< the conditions of --fail-on
  bool any = false;                   ///< one of `conditions` is enough
  bool ever = false;                  ///< a condition counts once it has held
  /// --count; nullopt means that every object must satisfy the goal.
  std::optional<CountRule> count;
  Clock::Duration duration{};  ///< how long the goal must stay satisfied

  /// Returns whether `delete` is one of the conditions.
  bool awaits_deletion() const;
  /// Returns whether `rollout` is one of the conditions.
  bool awaits_rollout() const;
  /// Returns whether the goal cannot be met if the rollout that `condition` awaits fails.
  bool fails_with(const Condition& condition) const;
  /// Returns whether `condition` stays met once it has held for an object. That is so for:
  /// - with `ever`, all conditions;
  /// - unless `duration` is set, `delete`: a later object of the same name is a different object;
  /// - without `any`, the conditions combined with `delete`: they cannot hold for a deleted object.
  bool is_kept(const Condition& condition) const;
  /// Returns whether the goal concerns only the objects of the initial list, as in `kubectl wait
  /// --for=delete`, and not objects that are created later.
  bool awaits_initial_only() const;
  /// Returns whether one of the conditions reads documents.
  bool needs_document() const;
  /// Returns whether one of the conditions is known to read more of an object than its metadata.
  bool reads_beyond_metadata() const;
  /// Returns whether one of the conditions reads the status as `condition=` and `rollout` do.
  bool needs_status() const;
};

/// Parses the values of --for or --fail-on. Errors: usage; messages start with `flag`.
Result<std::vector<Condition>> parse_conditions(const std::vector<std::string>& texts,
                                                std::string_view flag);

}  // namespace kinf
