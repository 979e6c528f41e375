// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/yaml_document.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace kinf {
namespace {

using Json = nlohmann::json;

TEST_CASE("a stream of YAML documents is read to its end, empty ones included") {
  const auto documents = parse_yaml_documents("a: 1\n---\n---\n- x\n...\n---\nyes\n");
  REQUIRE(documents);
  CHECK(*documents == std::vector<Json>{{{"a", 1}}, nullptr, {"x"}, true});
  CHECK(parse_yaml_documents("# nothing\n")->empty());
}

TEST_CASE("a stray sign where a document should begin is refused and does not loop") {
  for (const char* text : {"\n,\n", ",", "a: 1\n---\n, b\n", "--- ,\n"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_yaml_documents(text));
  }
}

TEST_CASE("scalars have the types that kubectl gives them, quoted ones are strings") {
  const auto read = parse_yaml(
      "{a: yes, b: 'yes', c: 0x1f, d: '12', e: ~, f: !!str 12, g: 1e3, h: 017, i: \"\", j: ,"
      " k: !!binary aGk=, ~: null key, l: |\n  text\n}");
  CHECK_FALSE(read);  // a block inside braces
  const auto types = parse_yaml(
      "{a: yes, b: 'yes', c: 0x1f, d: '12', e: ~, f: !!str 12, g: 1e3, h: 017, i: \"\", j: ,"
      " k: !!binary aGk=, ~: null key, l: 2026-01-02}");
  REQUIRE(types);
  CHECK(*types == Json::parse(R"({"a":true,"b":"yes","c":31,"d":"12","e":null,"f":"12","g":1000.0,
    "h":15,"i":"","j":null,"k":"hi","null":"null key","l":"2026-01-02"})"));
}

TEST_CASE("an underscore before the first digit makes a string, as in kubectl") {
  const auto read = parse_yaml("[_0, ._1, 1_0, -_5]");
  REQUIRE(read);
  CHECK(*read == Json::parse(R"(["_0","._1",10,-5])"));
}

TEST_CASE("an alias is replaced by its anchor's value, once that is complete") {
  const auto merged =
      parse_yaml("base: &b {x: 1, y: 2}\nmine:\n  <<: *b\n  y: 3\nlist: [*b, *b]\n");
  REQUIRE(merged);
  CHECK((*merged)["mine"] == Json{{"x", 1}, {"y", 3}});
  CHECK((*merged)["list"][1] == Json{{"x", 1}, {"y", 2}});
  for (const auto& [text, problem] : std::initializer_list<std::pair<const char*, const char*>>{
           {"a: &a [*a]", "yaml: line 1: an alias inside the value that it refers to"},
           {"a: 1\nb: *nowhere", "yaml: line 2: unknown anchor 'nowhere'"},
           {"--- &a x\n--- *a", "yaml: line 2: unknown anchor 'a'"}}) {
    const auto read = parse_yaml_documents(text);
    REQUIRE_FALSE(read);
    CHECK(read.error().message == problem);
  }
}

TEST_CASE("UTF-16, as some shells write it, is read; broken UTF-8 is refused") {
  const auto read =
      parse_yaml(std::string_view("\xff\xfe"
                                  "a\0:\0 \0\xe9\0\n\0",
                                  12));
  REQUIRE(read);
  CHECK(*read == Json{{"a", "\xc3\xa9"}});
  CHECK_FALSE(parse_yaml("a: \xff"));
}

}  // namespace
}  // namespace kinf
