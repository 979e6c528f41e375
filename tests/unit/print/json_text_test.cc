// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/json_text.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

TEST_CASE("indented JSON is kubectl's: sorted members, four spaces, unchanged scalars") {
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

TEST_CASE("a document is printed on one line, whatever it holds") {
  std::string out;
  append_one_line(out, "{ \"a\" : \"b\nc\",\r\n \"d\":\"\\\n\" }");
  CHECK(out.find_first_of("\r\n") == std::string::npos);
  out.clear();
  append_one_line(out, "{\n  \"a b\": [1,\t2]\n}");
  CHECK(out == R"({"a b":[1,2]})");
  out.clear();
  append_one_line(out, R"({"a" : "b \" c"})");
  CHECK(out == R"({"a" : "b \" c"})");
}

}  // namespace
}  // namespace kinf
