// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/display_width.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

TEST_CASE("width is in cells of a terminal") {
  CHECK(display_width("") == 0);
  CHECK(display_width("größe") == 5);
  CHECK(display_width("日本") == 4);
  CHECK(display_width("e\u0301") == 1);
  CHECK(display_width("🐳x") == 3);
  CHECK(display_width("한글") == 4);
}

TEST_CASE("long text is cut at its end or in the middle") {
  CHECK(shortened("abcdef", 6) == "abcdef");
  CHECK(shortened("abcdef", 4) == "abc…");
  CHECK(shortened("日本語", 4) == "日…");
  CHECK(shortened("abc", 0).empty());
  CHECK(shortened_in_the_middle("robusta-forwarder-5f65fd6fbb-s2trs", 20) ==
        "robusta-fo…fbb-s2trs");
  CHECK(shortened_in_the_middle("abcdef", 6) == "abcdef");
  CHECK(shortened_in_the_middle("日本語日本語", 7) == "日…語");
  CHECK(shortened_in_the_middle("abcdef", 2) == "a…");
  // A combining character is not separated from its base.
  CHECK(shortened_in_the_middle("abcde\u0301", 3) == "a…e\u0301");
}

TEST_CASE("text wraps after spaces and commas, and inside words that are too long") {
  using Lines = std::vector<std::string_view>;
  CHECK(wrapped_at("0/1 nodes are available", 10) == Lines{"0/1 nodes", "are", "available"});
  CHECK(wrapped_at("app=web,tier=front", 10) == Lines{"app=web,", "tier=front"});
  CHECK(wrapped_at("abcdefgh  ij", 3) == Lines{"abc", "def", "gh", "ij"});
  CHECK(wrapped_at("日本", 1) == Lines{"日", "本"});
  CHECK(wrapped_at("   ", 3).empty());
  CHECK(wrapped_at("", 3).empty());
}

}  // namespace
}  // namespace kinf
