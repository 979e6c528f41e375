// SPDX-License-Identifier: Apache-2.0
#include "kinf/api/json_splitter.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "kinf/base/random.h"

namespace kinf {
namespace {

using Found = JsonSplitter::Found;

/// Everything found, as text. Enters levels above `enter_below`; feeds `piece` bytes at a time.
std::string walk(std::string_view bytes, std::size_t enter_below, std::size_t piece) {
  JsonSplitter splitter;
  std::string seen;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    splitter.feed(bytes.substr(at, piece));
    for (;;) {
      const auto found = splitter.next(splitter.depth() < enter_below);
      if (!found) return seen + "!" + found.error().message;
      if (*found == Found::nothing) break;
      if (*found == Found::object) seen += "{";
      if (*found == Found::array) seen += "[";
      if (*found == Found::key) seen.append(splitter.text()).append(":");
      if (*found == Found::value) seen.append(splitter.text()).append(";");
      if (*found == Found::end) seen += ".";
    }
  }
  return seen + (splitter.between_values() ? "" : "?");
}

TEST_CASE("the splitter enters the levels it is asked to and returns the rest whole") {
  constexpr std::string_view kText = R"( {"a" : [1, {"b":"]}\"\\"} ,[]],"c":null}  "x"[]{})";
  CHECK(walk(kText, 0, 100) == R"({"a" : [1, {"b":"]}\"\\"} ,[]],"c":null};"x";[];{};)");
  CHECK(walk(kText, 1, 100) == R"({a:[1, {"b":"]}\"\\"} ,[]];c:null;."x";[.{.)");
  CHECK(walk(kText, 2, 100) == R"({a:[1;{"b":"]}\"\\"};[];.c:null;."x";[.{.)");
  for (std::size_t piece = 1; piece < 20; ++piece) {
    CHECK(walk(kText, 2, piece) == walk(kText, 2, 100));
  }
}

TEST_CASE("broken JSON on the entered levels is an error that says where") {
  const struct {
    const char* text;
    const char* seen;
  } cases[] = {
      {"[1 2]", "[1;!invalid JSON at byte 3: found '2', expected a comma or the end"},
      {"[1,]", "[1;!invalid JSON at byte 3: found ']', expected a value"},
      {"[,]", "[!invalid JSON at byte 1: found ',', expected a value"},
      {"[1}", "[1;!invalid JSON at byte 2: found '}', expected a comma or the end"},
      {"{\"a\" 1}", "{a:!invalid JSON at byte 5: found '1', expected a colon"},
      {"{1:2}", "{!invalid JSON at byte 1: found '1', expected a key"},
      {"{\"a\":1,}", "{a:1;!invalid JSON at byte 7: found '}', expected a key"},
      {"]", "!invalid JSON at byte 0: found ']', expected a value"},
      {"\x01", "!invalid JSON at byte 0: found byte 0x01, expected a value"},
  };
  for (const auto& one : cases) {
    CAPTURE(one.text);
    CHECK(walk(one.text, 2, 100) == one.seen);
    CHECK(walk(one.text, 2, 1) == one.seen);
  }
  CHECK(walk(std::string(9, '['), 100, 100) == "[[[[[[[[!values are nested too deeply");
}

TEST_CASE("between_values() tells an incomplete value from a pause between values") {
  for (const char* text : {"{", "[1", "\"x", "{\"a\":", "tru", "{\"a\":{}"}) {
    CAPTURE(text);
    CHECK(walk(text, 1, 100).ends_with("?"));
  }
  CHECK(walk(" \r\n", 1, 100).empty());
}

TEST_CASE("held bytes stay available at their offsets after more bytes are fed") {
  JsonSplitter splitter;
  std::string text = R"([{"a":1},)";
  splitter.feed(text);
  REQUIRE(splitter.next(true));
  REQUIRE(splitter.next());
  splitter.hold();
  const JsonSplitter::Extent held = splitter.extent();
  CHECK(splitter.text(held) == R"({"a":1})");
  REQUIRE(*splitter.next() == Found::nothing);
  text = " \"" + std::string(1000, 'x') + "\",";
  for (int i = 0; i < 300; ++i) {
    splitter.feed(text);
    REQUIRE(*splitter.next() == Found::value);
    REQUIRE(*splitter.next() == Found::nothing);
  }
  CHECK(splitter.text(held) == R"({"a":1})");
  splitter.release();
}

TEST_CASE("the limit counts the bytes that must be kept, not all that pass") {
  JsonSplitter splitter(50);
  splitter.feed("[");
  REQUIRE(splitter.next(true));
  for (int i = 0; i < 100; ++i) {
    splitter.feed("\"0123456789\",");
    CHECK(*splitter.next() == Found::value);
    CHECK(*splitter.next() == Found::nothing);
  }
  const std::string blanks(1000, ' ');
  splitter.feed(blanks);
  CHECK(*splitter.next() == Found::nothing);
  const std::string long_text = "\"" + std::string(51, 'x');
  splitter.feed(long_text);
  CHECK(splitter.next().error().message == "a value is larger than 50 bytes");
  CHECK_FALSE(splitter.next());
}

/// The same algorithm, written as simply as possible.
std::size_t end_by_hand(std::string_view text) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      in_string = !in_string;
    } else if (!in_string && (text[i] == '{' || text[i] == '[')) {
      ++depth;
    } else if (!in_string && (text[i] == '}' || text[i] == ']') && --depth == 0) {
      return i + 1;
    }
  }
  return 0;
}

TEST_CASE("blocks, single bytes and any cuts give the same end of a value") {
  Random random(7);
  constexpr std::string_view kBytes = "{}[]\"\"\\x: ,\xff{[";
  for (int round = 0; round < 3000; ++round) {
    std::string text = "{";
    while (text.size() < 700) text += kBytes[random.next() % kBytes.size()];
    const std::size_t wanted = end_by_hand(text);
    for (const std::size_t piece : {std::size_t{700}, 1 + std::size_t{random.next() % 200}}) {
      JsonScan scan;
      scan.start('{');
      const char* found = nullptr;
      for (std::size_t at = 1; at < text.size() && found == nullptr; at += piece) {
        found = scan.run(text.data() + at, text.data() + std::min(at + piece, text.size()));
      }
      REQUIRE((found == nullptr ? 0 : static_cast<std::size_t>(found - text.data())) == wanted);
    }
  }
}

}  // namespace
}  // namespace kinf
