// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/unicode.h"

#include <doctest/doctest.h>

#include "kinf/base/ascii.h"

namespace kinf {
namespace {

TEST_CASE("bytes that are not UTF-8 decode to U+FFFD one at a time") {
  CHECK(decode_rune("é", 0).value == U'é');
  CHECK(decode_rune("é", 0).size == 2);
  for (const std::string_view text :
       {"\xff", "\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80"}) {
    CAPTURE(text);
    CHECK(decode_rune(text, 0).value == kReplacement);
    CHECK(decode_rune(text, 0).size == 1);
  }
  CHECK(decode_rune("a", 1).size == 0);
}

TEST_CASE("encoding is the inverse of decoding") {
  for (const char32_t rune : {U'a', U'é', U'日', U'\U0001f433'}) {
    std::string text;
    append_utf8(text, rune);
    CHECK(decode_rune(text, 0).value == rune);
    CHECK(decode_rune(text, 0).size == text.size());
  }
}

TEST_CASE("code points are counted, not bytes") {
  CHECK(code_points("") == 0);
  CHECK(code_points("größe") == 5);
  CHECK(code_points("日本 \xf0\x9f\x90\xb3") == 4);
}

TEST_CASE("upper and lower case change ASCII letters only") {
  CHECK(to_lower("Pod-ÄB1") == "pod-Äb1");
  CHECK(to_upper("node.äz9") == "NODE.äZ9");
}

}  // namespace
}  // namespace kinf
