// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/wait_goal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "kinf/base/ascii.h"

namespace kinf {
namespace {

bool has_form(const std::vector<Condition>& conditions, Condition::Form form) {
  return std::ranges::find(conditions, form, &Condition::form) != conditions.end();
}

}  // namespace

bool WaitGoal::awaits_deletion() const { return has_form(conditions, Condition::Form::deletion); }

bool WaitGoal::awaits_rollout() const { return has_form(conditions, Condition::Form::rollout); }

bool WaitGoal::fails_with(const Condition& condition) const {
  return condition.form() == Condition::Form::rollout && !any && !count;
}

bool WaitGoal::is_kept(const Condition& condition) const {
  if (ever) return true;
  if (condition.form() == Condition::Form::deletion) return duration == Clock::Duration::zero();
  return !any && awaits_deletion();
}

bool WaitGoal::awaits_initial_only() const {
  return awaits_deletion() && !any && !count && duration == Clock::Duration::zero();
}

bool WaitGoal::needs_document() const {
  return std::ranges::any_of(conditions, &Condition::needs_document) ||
         std::ranges::any_of(failures, &Condition::needs_document);
}

bool WaitGoal::reads_beyond_metadata() const {
  return std::ranges::any_of(conditions, &Condition::reads_beyond_metadata) ||
         std::ranges::any_of(failures, &Condition::reads_beyond_metadata);
}

bool WaitGoal::needs_status() const {
  return has_form(conditions, Condition::Form::status) ||
         has_form(failures, Condition::Form::status) || awaits_rollout();
}

Result<std::vector<Condition>> parse_conditions(const std::vector<std::string>& texts,
                                                std::string_view flag) {
  std::vector<Condition> conditions;
  for (const std::string& text : texts) {
    Result<std::optional<Condition>> condition = Condition::parse(text);
    if (!condition) return fail(std::move(condition).error().within(flag));
    if (!*condition) {
      return fail(ErrorKind::usage, "{}: unrecognized condition: \"{}\"", flag, text)
          .with_hint(
              "conditions are create, delete, condition=TYPE[=VALUE], rollout[=REVISION], "
              "jsonpath=PATH[=VALUE], jq=EXPRESSION");
    }
    conditions.push_back(**std::move(condition));
  }
  return conditions;
}

// Longer operators come first: `==` before `=`.
constexpr std::array<CountRule::Operator, 8> CountRule::kOperators = {
    {{"==", "exactly", false, true, false},
     {"=", "exactly", false, true, false},
     {"!=", "not", true, false, true},
     {"<=", "at most", true, true, false},
     {"<", "fewer than", true, false, false},
     {">=", "at least", false, true, true},
     {">", "more than", false, false, true},
     {"", "exactly", false, true, false}}};

Result<CountRule> CountRule::parse(std::string_view text) {
  CountRule rule;
  rule.operator_ = *std::ranges::find_if(
      kOperators, [&](const Operator& one) { return text.starts_with(one.sign); });
  const auto number = parse_number<std::size_t>(text.substr(rule.operator_.sign.size()));
  if (!number) {
    return fail(ErrorKind::usage, "not a comparison with a whole number, such as '>=3' or 0");
  }
  rule.number_ = *number;
  return rule;
}

bool CountRule::holds(std::size_t count) const {
  if (count == number_) return operator_.equal;
  return count < number_ ? operator_.less : operator_.more;
}

std::string CountRule::words() const { return fmt::format("{} {}", operator_.words, number_); }

}  // namespace kinf
