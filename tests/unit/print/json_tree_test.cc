// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/json_tree.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

namespace kinf {
namespace {

TEST_CASE("damaged documents and those nested too deeply are errors") {
  for (const std::string_view text : {"", "{", "{\"a\"}", "{\"a\":}", "[1,]", "[1 2]", "{,}", "\"a",
                                      "tru", "1 2", "{\"a\":1,}", "-", "{\"a\\", "[}"}) {
    CAPTURE(text);
    CHECK_FALSE(JsonTree::parse(text).has_value());
  }
  CHECK(JsonTree::parse(std::string(500, '[') + std::string(500, ']')).has_value());
  CHECK_FALSE(JsonTree::parse(std::string(600, '[') + std::string(600, ']')).has_value());
}

TEST_CASE("nodes are views into the text, in its order") {
  const std::string text = R"( {"b" : [1.10, "x\"y", {}], "a":null } )";
  const JsonTree tree = JsonTree::parse(text).value();
  const auto members = tree.children(tree.root());
  REQUIRE(members.size() == 2);
  CHECK(tree.root().text == R"({"b" : [1.10, "x\"y", {}], "a":null })");
  CHECK(members[0]->key == "\"b\"");
  CHECK(members[0]->kind == JsonTree::Kind::array);
  CHECK(members[0]->text == R"([1.10, "x\"y", {}])");
  CHECK(members[1]->text == "null");
  const auto elements = tree.children(*members[0]);
  REQUIRE(elements.size() == 3);
  CHECK(elements[0]->kind == JsonTree::Kind::scalar);
  CHECK(elements[0]->text == "1.10");
  CHECK(elements[1]->kind == JsonTree::Kind::string);
  CHECK(elements[1]->text == R"("x\"y")");
  CHECK(elements[2]->key.empty());
  CHECK(tree.is_empty(*elements[2]));
  CHECK_FALSE(tree.is_empty(*members[0]));
  CHECK(tree.children(*elements[0]).empty());
}

TEST_CASE("sorted_children sorts members by key and keeps the order of elements") {
  const JsonTree tree = JsonTree::parse(R"({"b":1,"a":[2,1],"b":3})").value();
  std::string order;
  for (const JsonTree::Node* member : tree.sorted_children(tree.root())) {
    order.append(member->key).append(member->text);
  }
  CHECK(order == R"("a"[2,1]"b"1"b"3)");
  const JsonTree list = JsonTree::parse("[2,1]").value();
  CHECK(list.sorted_children(list.root())[0]->text == "2");
}

TEST_CASE("a string ends at the first quote that no backslash escapes") {
  for (const std::string text : {R"("")", R"("\\")", R"("\"")", R"("a\\\"b\\")", R"("\\\\")"}) {
    CHECK(JsonTree::parse(text).value().root().text == text);
    CHECK(JsonTree::parse(text.substr(0, text.size() - 1)).error().message ==
          fmt::format("invalid JSON at byte {}: unterminated string", text.size() - 1));
  }
  CHECK(JsonTree::parse(R"("\\" ")").error().message ==
        "invalid JSON at byte 5: unexpected text after the document");
}

TEST_CASE("the error for a damaged document says where it is") {
  CHECK(JsonTree::parse("[1 2]").error().message == "invalid JSON at byte 3: missing comma");
  CHECK(JsonTree::parse("[1] x").error().kind == ErrorKind::protocol);
}

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
