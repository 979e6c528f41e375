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
         has_form(failures, Condition::Form::status);
}

Result<std::vector<Condition>> parse_conditions(const std::vector<std::string>& texts,
                                                std::string_view flag) {
  std::vector<Condition> conditions;
  for (const std::string& text : texts) {
    Result<std::optional<Condition>> condition = Condition::parse(text);
    if (!condition) return std::unexpected(std::move(condition).error().within(flag));
    if (!*condition) {
      Error error(ErrorKind::usage, fmt::format("{}: unrecognized condition: \"{}\"", flag, text));
      error.hint =
          "conditions are create, delete, condition=TYPE[=VALUE], jsonpath=PATH[=VALUE], "
          "jq=EXPRESSION";
      return std::unexpected(std::move(error));
    }
    conditions.push_back(**std::move(condition));
  }
  return conditions;
}

Result<CountRule> CountRule::parse(std::string_view text) {
  // Longer operators come first: `==` before `=`.
  constexpr std::array<std::pair<std::string_view, Comparison>, 8> kOperators = {
      {{"==", Comparison::equal},
       {"=", Comparison::equal},
       {"!=", Comparison::unequal},
       {"<=", Comparison::at_most},
       {"<", Comparison::less},
       {">=", Comparison::at_least},
       {">", Comparison::more},
       {"", Comparison::equal}}};
  CountRule rule;
  for (const auto& [sign, comparison] : kOperators) {
    if (!text.starts_with(sign)) continue;
    rule.comparison_ = comparison;
    text.remove_prefix(sign.size());
    break;
  }
  const std::optional<std::size_t> number = parse_number<std::size_t>(text);
  if (!number) {
    return fail(ErrorKind::usage, "not a comparison with a whole number, such as '>=3' or 0");
  }
  rule.number_ = *number;
  return rule;
}

bool CountRule::holds(std::size_t count) const {
  switch (comparison_) {
    case Comparison::equal:
      return count == number_;
    case Comparison::unequal:
      return count != number_;
    case Comparison::less:
      return count < number_;
    case Comparison::at_most:
      return count <= number_;
    case Comparison::more:
      return count > number_;
    case Comparison::at_least:
      break;
  }
  return count >= number_;
}

std::string CountRule::words() const {
  constexpr std::array<std::string_view, 6> kWords = {"exactly", "not",       "fewer than",
                                                      "at most", "more than", "at least"};
  return fmt::format("{} {}", kWords[static_cast<std::size_t>(comparison_)], number_);
}

}  // namespace kinf
