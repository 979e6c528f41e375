// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/text_pattern.h"

#include <doctest/doctest.h>

#include <string>

namespace kinf {
namespace {

TEST_CASE("a pattern is searched in the text") {
  const TextPattern pattern = TextPattern::parse("^web-\\d+").value();
  CHECK(pattern.is_in("web-12-x"));
  CHECK_FALSE(pattern.is_in("a web-12"));
  CHECK(TextPattern::parse("B+", true)->is_in("aabb"));
  CHECK_FALSE(TextPattern::parse("[").has_value());
}

TEST_CASE("a search in a long text is bounded in time and stack") {
  const std::string text(200'000, 'a');
  CHECK_FALSE(TextPattern::parse("(a|b|ab)*c")->is_in(text));
}

}  // namespace
}  // namespace kinf
