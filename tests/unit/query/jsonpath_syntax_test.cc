// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/jsonpath_syntax.h"

#include <doctest/doctest.h>

namespace kinf::jsonpath {
namespace {

/// The tree as text: an action in braces, a node as its type and what it holds.
std::string text_of(const std::vector<Node>& nodes);

std::string text_of(const Node& node) {
  static constexpr const char* kNames[] = {"list",     "text",      "field", "array",
                                           "filter",   "int",       "float", "bool",
                                           "wildcard", "recursive", "union", "word"};
  std::string text = kNames[static_cast<std::size_t>(node.type)];
  if (!node.text.empty()) text += ":" + node.text;
  if (node.type == NodeType::integer || node.type == NodeType::boolean) {
    text += ":" + std::to_string(node.integer);
  }
  if (node.type == NodeType::array) {
    for (const SliceBound& bound : node.slice) {
      text += ":" + (bound.known ? std::to_string(bound.value) : std::string());
    }
  }
  if (!node.children.empty()) text += "(" + text_of(node.children) + ")";
  return text;
}

std::string text_of(const std::vector<Node>& nodes) {
  std::string text;
  for (const Node& node : nodes) text += (text.empty() ? "" : " ") + text_of(node);
  return text;
}

std::string parsed(std::string_view text) {
  const auto nodes = parse_jsonpath(text);
  return nodes ? text_of(*nodes) : "error: " + nodes.error().message;
}

TEST_CASE("a template is text with actions in braces") {
  CHECK(parsed("") == "");
  CHECK(parsed("a{.b}c") == "text:a list(field:b) text:c");
  CHECK(parsed("{.a.b}{}") == "list(field:a field:b) list");
  CHECK(parsed("{range .items[*]}{end}") == "list(word:range field:items array:::) list(word:end)");
}

TEST_CASE("each part of a path has its node") {
  struct Case {
    const char* text;
    const char* nodes;
  };
  const Case cases[] = {
      {"{.a\\.b}", "list(field:a.b)"},
      {"{.*}", "list(wildcard)"},
      {"{..name}", "list(recursive field:name)"},
      {"{.a[2]}", "list(field:a array:2:3:)"},
      {"{.a[-1]}", "list(field:a array:-1:0:)"},
      {"{.a[1:5:2]}", "list(field:a array:1:5:2)"},
      {"{.a[*]}", "list(field:a array:::)"},
      {"{['a']}", "list(field:a)"},
      {"{[0,2]}", "list(union(list(array:0:1:) list(array:2:3:)))"},
      {"{7}", "list(int:7)"},
      {"{1.5}", "list(float)"},
      {"{true}{false}", "list(bool:1) list(bool:0)"},
      {"{'it'}{\"a\\tb\"}", "list(text:it) list(text:a\tb)"},
      {"{.a[?(@.b==1)]}", "list(field:a filter:==(list(field:b) list(int:1)))"},
      {"{.a[?(@.b)]}", "list(field:a filter:exists(list(field:b) list))"},
      {"{ $.a }", "list(field:a)"},
  };
  for (const Case& one : cases) {
    CAPTURE(one.text);
    CHECK(parsed(one.text) == one.nodes);
  }
}

TEST_CASE("an invalid template is an error with kubectl's message") {
  struct Case {
    const char* text;
    const char* message;
  };
  const Case cases[] = {
      {"{.a", "unclosed action"},
      {"{.a[0}", "unterminated array"},
      {"{.a[x]}", "invalid array index x"},
      {"{.a[?(@.b}", "unterminated filter"},
      {"{.a[?(@.b)}", "unclosed array expect ]"},
      {"{\"a}", "unterminated quoted string"},
      {"{....}", "invalid multiple recursive descent"},
      {"{1.2.3}", "cannot parse number 1.2.3"},
      {"{%}", "unrecognized character in action: U+0025 '%'"},
  };
  for (const Case& one : cases) {
    CAPTURE(one.text);
    CHECK(parsed(one.text) == std::string("error: ") + one.message);
  }
}

TEST_CASE("quoted text has the escapes of Go") {
  CHECK(parsed(R"({"\a\x41\101\u00e9\U0001F433"})") == "list(text:\aAA\u00e9\U0001f433)");
  CHECK(parsed(R"({'it\'s'})") == "list(text:it's)");
  CHECK(parsed(R"({"\q"})") == "error: unquote string \"\\q\" error invalid syntax");
  CHECK(parsed(R"({"\ud800"})").starts_with("error: unquote string"));
}

}  // namespace
}  // namespace kinf::jsonpath
