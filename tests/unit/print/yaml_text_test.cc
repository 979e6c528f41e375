// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/yaml_text.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "kinf/base/yaml_document.h"

namespace kinf {
namespace {

std::string yaml_of(std::string_view json) {
  const Result<JsonTree> tree = JsonTree::parse(json);
  REQUIRE(tree);
  std::string out;
  append_yaml(out, *tree, tree->root(), 0, YamlPlace::document);
  return out;
}

TEST_CASE("block style has the layout of kubectl") {
  CHECK(yaml_of(R"({"b":{"c":[],"d":{},"e":null},"a":[[1,[true]],{"x":"y","w":["v"]}]})") ==
        "a:\n"
        "- - 1\n"
        "  - - true\n"
        "- w:\n"
        "  - v\n"
        "  x: \"y\"\n"
        "b:\n"
        "  c: []\n"
        "  d: {}\n"
        "  e: null\n");
  CHECK(yaml_of(R"({"script":"#!/bin/sh\nexit 0\n","cut":"a\nb","kept":["a\n\n"]})") ==
        "cut: |-\n"
        "  a\n"
        "  b\n"
        "kept:\n"
        "- |+\n"
        "  a\n"
        "\n"
        "script: |\n"
        "  #!/bin/sh\n"
        "  exit 0\n");
  CHECK(yaml_of(R"("a\nb")") == "|-\n  a\n  b\n");
}

TEST_CASE("strings are quoted only if necessary") {
  struct Case {
    std::string_view text;
    std::string_view yaml;
  };
  const Case cases[] = {
      {"web-1", "web-1"},
      {"10.0.0.1", "10.0.0.1"},
      {"a:b", "a:b"},
      {"", "\"\""},
      {"true", "\"true\""},
      {"No", "\"No\""},
      {"1.5e3", "\"1.5e3\""},
      {"0x1F", "\"0x1F\""},
      {"12:30", "\"12:30\""},
      {"2026-11-21T10:14:00Z", "\"2026-11-21T10:14:00Z\""},
      {"a: b", "'a: b'"},
      {"it's: x", "'it''s: x'"},
      {"*all", "'*all'"},
      {"ends ", "'ends '"},
      {"-", "'-'"},
      {"-x", "-x"},
      {"tab\there", "\"tab\\there\""},
      {"esc\x1b[2J", "\"esc\\u001b[2J\""},
      {"next\xc2\x85line", "\"next\\x85line\""},
  };
  for (const Case& one : cases) {
    std::string out;
    append_yaml_string(out, one.text, 2, true);
    CHECK(out == one.yaml);
  }
}

TEST_CASE("a YAML reader gets back the same values") {
  const nlohmann::json hard = {
      {"plain", "text"},
      {"key: with colon", 1},
      {"", "empty key"},
      {"yes", true},
      {std::string(2000, 'k'), "long key"},
      {"numbers", {0, -1, 1.5, 1e30}},
      {"strings",
       {"",
        " ",
        "\n",
        "\n\n",
        "a\n",
        "a\n\n",
        "a\n b\n",
        " a\nb",
        "a \nb",
        "a\tb\nc",
        "'",
        "\"",
        "\\",
        "#",
        "a #b",
        "a: b",
        "a:",
        ":",
        "?",
        "? a",
        "- a",
        "---",
        "%x",
        "@",
        "`",
        "!",
        "&a",
        "|",
        ">",
        "[a]",
        "{a}",
        "null",
        "~",
        "1",
        "0777",
        "1_000",
        ".5",
        ".inf",
        "-.INF",
        "1e3",
        "=",
        "<<",
        "\xe2\x80\xa8",
        "\xef\xbb\xbf",
        "\x7f",
        "\xc2\x9b",
        "ü",
        "日本",
        "\xf0\x9f\x90\xb3",
        "a\r\nb"}},
      {"deep", {{{{{"x", {1, {2, {3}}}}}}}}},
  };
  const std::string yaml = yaml_of(hard.dump());
  CAPTURE(yaml);
  const Result<nlohmann::json> read = parse_yaml(yaml);
  REQUIRE(read);
  CHECK(*read == hard);
}

TEST_CASE("a word that some YAML reader does not take for a string is recognized") {
  for (const std::string_view word :
       {"y", "ON", "Null", "~", "-12", "+.5", "0b1", "1e-3", "2001-1-1"}) {
    CAPTURE(word);
    CHECK(yaml_resolves_to_non_string(word));
  }
  for (const std::string_view word :
       {"yess", "1.2.3", "v1", "1a", "e3", ".", "-", "0.0.0.0/0", "_1"}) {
    CAPTURE(word);
    CHECK_FALSE(yaml_resolves_to_non_string(word));
  }
}

TEST_CASE("control characters and invisible separators are special") {
  for (const char32_t rune :
       {U'\0', U'\t', U'\n', U'\x7f', U'\x85', U'\u2028', U'\u2029', U'\ufeff'}) {
    CAPTURE(static_cast<unsigned>(rune));
    CHECK(is_special_in_yaml(rune));
  }
  for (const char32_t rune : {U' ', U'~', U'\xa0', U'ü', U'\u2027', U'日', U'\U0001f433'}) {
    CAPTURE(static_cast<unsigned>(rune));
    CHECK_FALSE(is_special_in_yaml(rune));
  }
}

TEST_CASE("a string can be plain, a block, or only in double quotes") {
  const auto shape = [](std::string_view text) {
    const YamlStringShape is = yaml_string_shape(text);
    return is.special_characters ? "double quotes"
           : is.plain_allowed    ? "plain"
           : is.block_allowed    ? "block"
                                 : "quotes";
  };
  for (const std::string_view text : {"web", "a:b", "-x", "a#b", "ü", "a'b", "x-"}) {
    CAPTURE(text);
    CHECK(shape(text) == "plain");
  }
  for (const std::string_view text :
       {"",   " a", "a ",  "a: b", "a:",  "a #b", "#a",    "- a",  "-",   "? a",
        "[a", "{a", "*a",  "&a",   "!a",  "|",    ">",     "'a",   "\"a", "%a",
        "@a", "`a", "---", "...",  ": a", "\na",  "a \nb", "a\nb "}) {
    CAPTURE(text);
    CHECK(shape(text) == "quotes");
  }
  CHECK(shape("a\nb") == "block");
  CHECK(shape("a\nb\n") == "block");
  CHECK(shape("a\tb") == "double quotes");
  CHECK(shape("a\nb\xc2\x85") == "double quotes");
}

}  // namespace
}  // namespace kinf
