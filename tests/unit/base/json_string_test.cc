// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/json_string.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

std::string json_string(std::string_view text, JsonEscapes escapes = JsonEscapes::needed) {
  std::string out;
  append_json_string(out, text, escapes);
  return out;
}

TEST_CASE("quoting and unquoting are inverse; unknown escapes are kept") {
  const std::string text = "a\"\\\n\t\x01/ü\xf0\x9f\x90\xb3";
  std::string quoted;
  append_json_string(quoted, text);
  CHECK(json_unquoted(quoted) == text);
  CHECK(json_unquoted(R"("\ud83d\udc33 \u00fc \/")") == "\xf0\x9f\x90\xb3 ü /");
  CHECK(json_unquoted(R"("\ud83d \udc33 \x \u12")") == "\xef\xbf\xbd \xef\xbf\xbd \\x \\u12");
}

TEST_CASE("only characters that must be escaped are escaped") {
  CHECK(json_string("a\"b\\c\b\f\n\r\t") == R"("a\"b\\c\b\f\n\r\t")");
  CHECK(json_string("\x01\x1f\x7f") == "\"\\u0001\\u001f\x7f\"");
  CHECK(json_string("<ü&\xe2\x80\xa8\xff>") == "\"<ü&\xe2\x80\xa8\xff>\"");
}

TEST_CASE("as Go writes it, markup and line separators are escaped and bad bytes replaced") {
  CHECK(json_string("<ü&\xe2\x80\xa8>", JsonEscapes::as_go) == R"("\u003cü\u0026\u2028\u003e")");
  CHECK(json_string("a\xff\xe2\x80z", JsonEscapes::as_go) ==
        "\"a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz\"");
}

}  // namespace
}  // namespace kinf
