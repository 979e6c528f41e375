// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/jsonpath.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "kinf/base/unicode.h"

namespace kinf {
namespace {

std::string printed(std::string_view text, std::string_view document,
                    const JsonPathOptions& options = {}) {
  const auto path = JsonPath::parse(text);
  if (!path) return "parse: " + path.error().message;
  const auto out = path->print(nlohmann::json::parse(document), options);
  return out ? *out : "exec: " + out.error().message;
}

TEST_CASE("one parsed template serves many documents") {
  const auto path = JsonPath::parse("{range .items[*]}{.name}{\"\\n\"}{end}done");
  REQUIRE(path.has_value());
  CHECK(path->print(nlohmann::json::parse(R"({"items":[{"name":"a"},{"name":"b"}]})")) ==
        "a\nb\ndone");
  CHECK(path->print(nlohmann::json::parse(R"({"items":[]})")) == "done");
  CHECK(path->print(nlohmann::json::parse(R"({"items":[{"name":"c"}]})")) == "c\ndone");
}

TEST_CASE("filters nested too deeply are rejected") {
  std::string text = "{.a";
  for (int i = 0; i < 100000; ++i) text += "[?(@.a";
  CHECK(printed(text, "{}").starts_with("parse: "));
}

TEST_CASE("a descent into a document nested too deeply is an error") {
  std::string document;
  for (int i = 0; i < 5000; ++i) document += "{\"a\":";
  document += "1" + std::string(5000, '}');
  CHECK(printed("{..a}", document) == "exec: document nested too deep for ..");
}

TEST_CASE("a huge step takes the first element and stops") {
  CHECK(printed("{.a[0::9223372036854775807]}", R"({"a":[1,2,3]})") == "1");
}

TEST_CASE("names can be of any script") {
  CHECK(printed("{.größe}{..日本}", R"({"größe":"L","日本":1})") == "L1");
  CHECK(is_word_rune(U'é'));
  CHECK_FALSE(is_word_rune(U'\u2192'));
  CHECK(decode_rune("\xff", 0).size == 1);
  CHECK(decode_rune("\xed\xa0\x80", 0).value == 0xFFFD);
}

}  // namespace
}  // namespace kinf
