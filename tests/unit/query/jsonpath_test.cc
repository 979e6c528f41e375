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

TEST_CASE("a document has no values that are nested too deeply") {
  const auto nested = [](std::size_t depth, const std::string& inside) {
    return std::string(depth, '[') + inside + std::string(depth, ']');
  };
  CHECK(parse_document(nested(510, R"(1,{"a":2})")).dump() == nested(510, R"(1,{"a":2})"));
  CHECK(parse_document(nested(511, R"(1,{"a":2})")).dump() == nested(511, "1,{}"));
  CHECK(parse_document(nested(512, R"(1,{"a":2})")).dump() == nested(512, ""));
  CHECK(parse_document(nested(100'000, "1")).dump() == nested(512, ""));
  CHECK(parse_document(R"({"a":1,"b":[{"c":null}],"a":[true,"x",-2,1.5,{}]})").dump() ==
        R"({"a":[true,"x",-2,1.5,{}],"b":[{"c":null}]})");
  for (const std::string_view text : {"", "{", "{} {}", "[1,]", R"({"a"})", "[01]"}) {
    CAPTURE(text);
    CHECK(parse_document(text).is_discarded());
  }
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

/// The names of the items that satisfy a filter.
std::string filtered(const std::string& filter) {
  const nlohmann::json document = nlohmann::json::parse(R"({"items":[
      {"n":"web-1","p":"Running","r":1},{"n":"web-2","p":"Failed","r":5},
      {"n":"db","p":"Failed","x":true},{"n":"odd","p":"a && b) || =~"}]})");
  const Result<JsonPath> path = JsonPath::parse("{.items[?(" + filter + ")].n}");
  if (!path) return "error: " + path.error().message;
  const Result<std::string> text = path->print(document);
  return text ? *text : "error: " + text.error().message;
}

TEST_CASE("filters combine conditions with && || ! and parentheses") {
  CHECK(filtered(R"(@.p=="Failed" && @.r>3)") == "web-2");
  CHECK(filtered(R"(@.p=="Failed"&&@.r)") == "web-2");
  CHECK(filtered(R"(@.n=="db" || @.r==1)") == "web-1 db");
  CHECK(filtered(R"(!@.r)") == "db odd");
  CHECK(filtered(R"(!(@.r || @.x))") == "odd");
  CHECK(filtered(R"(@.r==1 || @.p=="Failed" && !@.r)") == "web-1 db");
  CHECK(filtered(R"((@.r==1 || @.p=="Failed") && !@.x)") == "web-1 web-2");
  CHECK(filtered(R"(@.r!=1 && @.r)") == "web-2");
}

TEST_CASE("filters search a regular expression with =~") {
  CHECK(filtered(R"(@.n=~"^web-\d$")") == "web-1 web-2");
  CHECK(filtered(R"(@.n =~ /WEB/i && @.p=~'^R')") == "web-1");
  CHECK(filtered(R"(!@.n=~"e")") == "db odd");
  CHECK(filtered(R"(@.r=~"1")").empty());
}

TEST_CASE("operators in quotes are text") {
  CHECK(filtered(R"(@.p=="a && b) || =~")") == "odd");
  CHECK(filtered(R"(@.p=="a && b) || =~" || @.r==1)") == "web-1 odd");
}

TEST_CASE("an incomplete condition is a usage error") {
  for (const char* filter : {"@.a && ", "|| @.a", "!", "(@.a", "@.a=~", "@.a=~x", "@.a=~\"[\""}) {
    CAPTURE(filter);
    CHECK(filtered(filter).starts_with("error: "));
  }
  CHECK(filtered(std::string(1000, '(') + "@.a" + std::string(1000, ')')) ==
        "error: filters nested too deep");
  CHECK_FALSE(JsonPath::parse("{.a[?(@.b && @.c)]}", jsonpath::Dialect::kubectl).has_value());
}

TEST_CASE("a single ! between two values is no operator") {
  CHECK(printed("{.items[?(@.a ! @.b)]}", R"({"items":[{"a":1,"b":1}]})") ==
        "exec: unrecognized filter operator !");
}
TEST_CASE("A14: ranges nested too deep are an error") {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "{range @}";
  const Result<std::string> printed = JsonPath::parse(text)->print(nlohmann::json(1));
  REQUIRE_FALSE(printed.has_value());
  CHECK(printed.error().message == "ranges nested too deep");
}

}  // namespace
}  // namespace kinf
