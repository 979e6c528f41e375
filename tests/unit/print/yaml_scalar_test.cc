// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/yaml_scalar.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

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
