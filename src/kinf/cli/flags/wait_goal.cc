// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/wait_goal.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

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

}  // namespace kinf
