// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/json_reader.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

/// `key=value` for each piece, then how the reading ended.
std::string pieces(std::string_view text) {
  JsonReader reader(text);
  JsonReader::Piece piece;
  std::string out;
  while (reader.next(piece)) out.append(piece.key).append("=").append(piece.value).append(" ");
  return out + (reader.is_at_end() ? "end" : reader.is_damaged() ? "damaged" : "?");
}

TEST_CASE("members and elements are read as pieces of the text") {
  CHECK(pieces(R"({"a":1,"b" : {"c":[1,"}"]} , "d\"":"x\\"})") ==
        R"("a"=1 "b"={"c":[1,"}"]} "d\""="x\\" end)");
  CHECK(pieces("[1.10, \"a\" ,\n[],{},null]") == R"(=1.10 ="a" =[] ={} =null end)");
  CHECK(pieces("{}") == "end");
  CHECK(pieces("[ ]") == "end");
}

TEST_CASE("the reader stops where the text is damaged") {
  for (const char* text : {"", "1", "{", R"({"a")", R"({"a":})", R"({"a":1)", R"({"a":1,})",
                           R"({"a":1 "b":2})", R"({a:1})", "[1,]", "[1}", "[1]x", "[\"a]"}) {
    CAPTURE(text);
    CHECK(pieces(text).ends_with("damaged"));
  }
}

TEST_CASE("the same piece in another text is passed over by its bytes") {
  JsonReader one(R"({"a":1,"b":[2],"c":3})");
  JsonReader other(R"({"a":1,"b":[2],"c":33})");
  JsonReader::Piece piece;
  REQUIRE(one.next(piece));
  CHECK(other.skip_same(one.last_text()));
  REQUIRE(one.next(piece));
  CHECK(other.skip_same(one.last_text()));
  REQUIRE(one.next(piece));
  CHECK_FALSE(other.skip_same(one.last_text()));  // `3` is how `33` begins
  REQUIRE(other.next(piece));
  CHECK(piece.value == "33");
  CHECK_FALSE(other.skip_same(R"("d":4)"));
  CHECK_FALSE(other.next(piece));
  CHECK(other.is_at_end());
}

TEST_CASE("a JSON string is read without its quotes and escapes") {
  CHECK(json_string(R"("a\"\u00e4")") == "a\"ä");
  CHECK(json_string("\"\"") == "");
  CHECK_FALSE(json_string("1"));
  CHECK_FALSE(json_string("\""));
  CHECK(trim_json(" \n{} \t") == "{}");
}

}  // namespace
}  // namespace kinf
