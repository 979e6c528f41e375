// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/visible_text.h"

#include <doctest/doctest.h>

#include "kinf/base/unicode.h"

namespace kinf {
namespace {

TEST_CASE("what is not printable becomes a JSON escape, the rest stays") {
  CHECK(visible_text("größe 日本\u3000\tx\n") == "größe 日本\u3000\tx\n");
  CHECK(visible_text("a\x1b[2Jb\a\b\r\x7f") == "a\\u001b[2Jb\\u0007\\u0008\\u000d\\u007f");
  CHECK(visible_text("\u009b31m") == "\\u009b31m");
  for (const char* hidden : {"\u202e", "\u2066", "\u2028", "\u2029", "\ufeff", "\u200b"}) {
    CAPTURE(hidden);
    CHECK(visible_text(hidden).starts_with("\\u"));
  }
  CHECK(visible_text("\U000E0001") == "\\udb40\\udc01");
  CHECK(visible_text("a\xff\xc0") == "a��");
}

TEST_CASE("a line has no line ends and tabs") {
  CHECK(visible_line("a\nb\tc\x1b") == "a\\nb\\tc\\u001b");
}

TEST_CASE("only the colour codes of kinf are kept, and only on request") {
  std::string text;
  append_coloured(text, "Error", Colour::red);
  CHECK(text == "\x1b[31mError\x1b[0m");
  CHECK(visible_text(text, ColourCodes::keep) == text);
  CHECK(visible_text(text) == "\\u001b[31mError\\u001b[0m");
  CHECK(visible_text("\x1b[8mhidden", ColourCodes::keep) == "\\u001b[8mhidden");
}

TEST_CASE("no code point gets through that is not printable") {
  for (char32_t rune = 0; rune <= 0x10FFFF; ++rune) {
    std::string text;
    append_utf8(text, rune);
    const std::string shown = visible_line(text);
    for (std::size_t at = 0; at < shown.size();) {
      const Rune one = decode_rune(shown, at);
      if (!is_printable(one.value) && !is_space(one.value)) {
        FAIL("U+" << static_cast<unsigned>(rune));
      }
      at += one.size;
    }
  }
}

}  // namespace
}  // namespace kinf
