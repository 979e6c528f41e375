// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/value_pattern.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

TEST_CASE("a pattern lists values and globs; a backslash makes a character plain") {
  CHECK(ValuePattern("a,b").matches("b"));
  CHECK_FALSE(ValuePattern("a,b").matches("a,b"));
  CHECK(ValuePattern("web-*").matches("web-"));
  CHECK(ValuePattern("*-web-*x").matches("my-web-web-x"));
  CHECK_FALSE(ValuePattern("web-?").matches("web-10"));
  CHECK(ValuePattern("*").matches(""));
  CHECK(ValuePattern("").matches(""));
  CHECK_FALSE(ValuePattern("").matches("a"));
  CHECK(ValuePattern(R"(a\,b\*)").matches("a,b*"));
  CHECK(ValuePattern(R"(a\,b\*,c)").literals() == std::vector<std::string>{"a,b*", "c"});
  CHECK_FALSE(ValuePattern("a,b*").literals().has_value());
  CHECK(ValuePattern(R"(a\,b,c)").parts() == std::vector<std::string>{R"(a\,b)", "c"});
}

TEST_CASE("a glob of many stars is matched in reasonable time") {
  const std::string value(20'000, 'a');
  CHECK_FALSE(ValuePattern("*a*a*a*a*a*a*a*a*a*a*a*a*b").matches(value));
}

TEST_CASE("a question mark stands for exactly one byte") {
  CHECK(ValuePattern("node-?").matches("node-1"));
  CHECK_FALSE(ValuePattern("node-?").matches("node-"));
  CHECK(ValuePattern("?*").matches("x"));
  CHECK_FALSE(ValuePattern("?*").matches(""));
  CHECK(ValuePattern("a**b").matches("ab"));
}

TEST_CASE("a pattern keeps the text it was made from") {
  CHECK(ValuePattern("a,b*").text() == "a,b*");
  CHECK(ValuePattern("").parts() == std::vector<std::string>{""});
  CHECK(ValuePattern("a,,b").parts() == std::vector<std::string>{"a", "", "b"});
  CHECK(ValuePattern("a\\").matches("a\\"));
  CHECK(ValuePattern("a") == ValuePattern("a"));
  CHECK_FALSE(ValuePattern("a") == ValuePattern("b"));
}

}  // namespace
}  // namespace kinf
