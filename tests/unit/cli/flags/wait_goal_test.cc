// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/wait_goal.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

WaitGoal goal_for(const std::vector<std::string>& texts) {
  WaitGoal goal;
  goal.conditions = *parse_conditions(texts, "--for");
  return goal;
}

TEST_CASE("each text is a condition") {
  const WaitGoal goal = goal_for({"create", "condition=Ready", "jq=.a"});
  CHECK(goal.conditions.size() == 3);
  CHECK(goal.conditions[1].text() == "condition=Ready");
  CHECK_FALSE(goal.awaits_deletion());
}

TEST_CASE("errors name the flag and the forms") {
  const Error unknown = parse_conditions({"Ready"}, "--fail-on").error();
  CHECK(unknown.kind == ErrorKind::usage);
  CHECK(unknown.message == "--fail-on: unrecognized condition: \"Ready\"");
  CHECK(unknown.hint.find("condition=TYPE") != std::string::npos);
  CHECK(parse_conditions({"condition="}, "--for").error().message.starts_with("--for: "));
}

TEST_CASE("a deletion is kept, and what is awaited with it") {
  WaitGoal goal = goal_for({"condition=Ready", "delete"});
  CHECK(goal.is_kept(goal.conditions[0]));
  CHECK(goal.is_kept(goal.conditions[1]));
  goal.any = true;
  CHECK_FALSE(goal.is_kept(goal.conditions[0]));
  CHECK(goal.is_kept(goal.conditions[1]));
  goal.duration = std::chrono::seconds(1);
  CHECK_FALSE(goal.is_kept(goal.conditions[1]));
}

TEST_CASE("other conditions are kept only with --ever") {
  WaitGoal goal = goal_for({"condition=Ready"});
  CHECK_FALSE(goal.is_kept(goal.conditions[0]));
  goal.ever = true;
  CHECK(goal.is_kept(goal.conditions[0]));
}

TEST_CASE("what the conditions read is known, of --fail-on too") {
  WaitGoal goal = goal_for({"create", "delete"});
  CHECK_FALSE(goal.needs_document());
  goal.failures = *parse_conditions({"jsonpath=.a"}, "--fail-on");
  CHECK(goal.needs_document());
  CHECK_FALSE(goal.needs_status());
  goal.failures = *parse_conditions({"condition=Failed"}, "--fail-on");
  CHECK(goal.needs_status());
}

/// Returns which of the counts 2, 3 and 4 the rule accepts, as digits.
std::string accepted(std::string_view text) {
  const Result<CountRule> rule = CountRule::parse(text);
  if (!rule) return rule.error().message;
  std::string counts;
  for (std::size_t count = 2; count <= 4; ++count) {
    if (rule->holds(count)) counts += std::to_string(count);
  }
  return counts;
}

TEST_CASE("a rule compares with a number") {
  CHECK(accepted("3") == "3");
  CHECK(accepted("=3") == "3");
  CHECK(accepted("==3") == "3");
  CHECK(accepted("!=3") == "24");
  CHECK(accepted("<3") == "2");
  CHECK(accepted("<=3") == "23");
  CHECK(accepted(">3") == "4");
  CHECK(accepted(">=3") == "34");
}

TEST_CASE("a rule has words for messages") {
  CHECK(CountRule::parse(">=3")->words() == "at least 3");
  CHECK(CountRule::parse("0")->words() == "exactly 0");
  CHECK(CountRule::parse("<2")->words() == "fewer than 2");
}

TEST_CASE("other texts are usage errors") {
  for (const char* text : {"", ">=", "many", "=>3", "-1", "3.5", ">=3 "}) {
    CAPTURE(text);
    const Result<CountRule> rule = CountRule::parse(text);
    REQUIRE_FALSE(rule);
    CHECK(rule.error().kind == ErrorKind::usage);
  }
}

}  // namespace
}  // namespace kinf
