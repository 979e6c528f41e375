// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/json_text.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

TEST_CASE("indented JSON is kubectl's: sorted members, four blanks, scalars as they came") {
  const Result<JsonTree> tree = JsonTree::parse(R"({"b":[1.10,{"x":"\u003c"}],"a":{},"c":[]})");
  REQUIRE(tree);
  std::string out;
  append_indented(out, *tree, tree->root(), 0);
  CHECK(out ==
        "{\n"
        "    \"a\": {},\n"
        "    \"b\": [\n"
        "        1.10,\n"
        "        {\n"
        "            \"x\": \"\\u003c\"\n"
        "        }\n"
        "    ],\n"
        "    \"c\": []\n"
        "}");
}

TEST_CASE("damaged documents are errors") {
  for (const std::string_view text : {"", "{", "{\"a\"}", "{\"a\":}", "[1,]", "[1 2]", "{,}", "\"a",
                                      "tru", "1 2", "{\"a\":1,}", "-", "{\"a\\", "[}"}) {
    CAPTURE(text);
    CHECK_FALSE(JsonTree::parse(text).has_value());
  }
  CHECK(JsonTree::parse(std::string(500, '[') + std::string(500, ']')).has_value());
  CHECK_FALSE(JsonTree::parse(std::string(600, '[') + std::string(600, ']')).has_value());
}

TEST_CASE("one line stays one line whatever the document holds") {
  std::string out;
  append_one_line(out, "{ \"a\" : \"b\nc\",\r\n \"d\":\"\\\n\" }");
  CHECK(out.find_first_of("\r\n") == std::string::npos);
}

}  // namespace
}  // namespace kinf
