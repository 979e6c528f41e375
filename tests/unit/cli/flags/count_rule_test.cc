// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/count_rule.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

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
