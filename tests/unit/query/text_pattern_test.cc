// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/text_pattern.h"

#include <doctest/doctest.h>

#include <string>

namespace kinf {
namespace {

TEST_CASE("a pattern is searched in the text") {
  const TextPattern pattern = TextPattern::parse("^web-\\d+").value();
  CHECK(*pattern.is_in("web-12-x"));
  CHECK_FALSE(*pattern.is_in("a web-12"));
  CHECK(*TextPattern::parse("B+", true)->is_in("aabb"));
  CHECK_FALSE(TextPattern::parse("[").has_value());
}

TEST_CASE("a pattern that repeats too much is refused at once") {
  const auto groups = [](int depth, std::string_view end) {
    std::string pattern(static_cast<std::size_t>(depth), '(');
    pattern += 'a';
    for (int i = 0; i < depth; ++i) pattern += end;
    return pattern;
  };
  for (const std::string& pattern :
       {std::string("x{1000}{1000}"), std::string("x{10000}"), std::string("(x{100}){100}"),
        std::string("(((x{1,9}){1,9}y){1,9}z){,9}"), std::string("[ab]{2000,}"),
        std::string("x{99999999999999999999}"), std::string("(?:a|b{30}){40}"),
        groups(90, "){2}")}) {
    INFO(pattern);
    const Result<TextPattern> parsed = TextPattern::parse(pattern);
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().message ==
          "invalid regular expression " + pattern + ": it repeats too much");
  }
  for (const std::string& pattern : {std::string(10'000, 'a'), std::string(10'000, '('),
                                     std::string(1'000'000, '['), groups(1000, ")*")}) {
    const Result<TextPattern> parsed = TextPattern::parse(pattern);
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().message.ends_with("…: longer than 1000 bytes"));
  }
  for (const std::string& pattern : {std::string(900, 'a'), groups(200, ")*"), groups(200, ")"),
                                     std::string("x{300}"), std::string("(a{9}b?){9}\\{\\(")}) {
    INFO(pattern);
    CHECK(TextPattern::parse(pattern));
  }
}

TEST_CASE("a search in a long text is bounded in time and stack") {
  const std::string text(std::size_t{256} << 10U, 'a');
  const Result<bool> nested = TextPattern::parse("(a*)*b")->is_in(text);
#if defined(__GLIBCXX__)
  REQUIRE(nested.has_value());  // libc++ gives up
#endif
  CHECK_FALSE(nested.value_or(false));
  CHECK(*TextPattern::parse("node|a$")->is_in(text));
  // 6 s otherwise.
  const Result<bool> found = TextPattern::parse("a{500}b")->is_in(text);
  REQUIRE_FALSE(found);
  CHECK(found.error().message == "a text of 262144 bytes is too long for this regular expression");
}

}  // namespace
}  // namespace kinf
