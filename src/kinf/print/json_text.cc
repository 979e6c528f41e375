// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/json_text.h"

#include "kinf/base/json_string.h"

namespace kinf {
namespace {

constexpr std::size_t kIndent = 4;

}  // namespace

void append_one_line(std::string& out, std::string_view json) {
  bool has_control = false;  // without an early end, the compiler uses vectors
  for (const char c : json) has_control |= static_cast<unsigned char>(c) < 0x20;
  if (!has_control) {
    out += json;
    return;
  }
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string && c == '\\' && i + 1 < json.size()) {
      const char escaped = json[++i];
      out += c;
      if (static_cast<unsigned char>(escaped) >= 0x20) out += escaped;
    } else if (c == '"') {
      in_string = !in_string;
      out += c;
    } else if (in_string) {
      append_json_escaped(out, c);
    } else if (static_cast<unsigned char>(c) > 0x20) {
      out += c;
    }
  }
}

void append_indented(std::string& out, const JsonTree& tree, const JsonTree::Node& node,
                     std::size_t depth) {
  using Kind = JsonTree::Kind;
  if (node.kind == Kind::string || node.kind == Kind::scalar) {
    append_one_line(out, node.text);
    return;
  }
  const bool is_object = node.kind == Kind::object;
  if (tree.is_empty(node)) {
    out += is_object ? "{}" : "[]";
    return;
  }
  char separator = is_object ? '{' : '[';
  for (const JsonTree::Node* child : tree.sorted_children(node)) {
    out += separator;
    separator = ',';
    out += '\n';
    out.append((depth + 1) * kIndent, ' ');
    if (is_object) {
      append_one_line(out, child->key);
      out += ": ";
    }
    append_indented(out, tree, *child, depth + 1);
  }
  out += '\n';
  out.append(depth * kIndent, ' ');
  out += is_object ? '}' : ']';
}

}  // namespace kinf
