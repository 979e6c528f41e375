// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/yaml_text.h"

#include <fmt/format.h>

#include <cstdint>

#include "kinf/base/json_string.h"
#include "kinf/base/unicode.h"
#include "kinf/print/yaml_scalar.h"

namespace kinf {
namespace {

/// The longest key written as `key:`. YAML parsers need not accept longer ones.
constexpr std::size_t kLongestPlainKey = 1000;

void append_single_quoted(std::string& out, std::string_view text) {
  out += '\'';
  for (const char c : text) {
    if (c == '\'') out += '\'';
    out += c;
  }
  out += '\'';
}

/// Uses JSON escapes, which are valid in YAML, and also escapes characters that are special only in
/// YAML.
void append_double_quoted(std::string& out, std::string_view text) {
  std::string quoted;
  append_json_string(quoted, text);
  for (std::size_t at = 0; at < quoted.size();) {
    const Rune rune = decode_rune(quoted, at);
    if (!is_special_in_yaml(rune.value)) {
      out.append(quoted, at, rune.size);
    } else {
      const auto code = static_cast<std::uint32_t>(rune.value);
      out += code < 0x100 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
    }
    at += rune.size;
  }
}

/// Appends a literal block: `|-` if the text has no trailing line end, `|` for one, `|+` for
/// several.
void append_block(std::string& out, std::string_view text, std::size_t indent) {
  out += '|';
  if (!text.ends_with('\n')) {
    out += '-';
  } else if (text.ends_with("\n\n")) {
    out += '+';
  }
  if (text.ends_with('\n')) text.remove_suffix(1);
  while (true) {
    const std::size_t line_end = text.find('\n');
    const std::string_view line = text.substr(0, line_end);
    out += '\n';
    if (!line.empty()) out.append(indent, ' ').append(line);
    if (line_end == std::string_view::npos) return;
    text.remove_prefix(line_end + 1);
  }
}

void append_key(std::string& out, std::string_view quoted_key, std::size_t indent) {
  const std::string key = json_unquoted(quoted_key);
  if (key.size() > kLongestPlainKey) {
    out += "? ";
    append_double_quoted(out, key);
    out += '\n';
    out.append(indent, ' ');
  } else {
    append_yaml_string(out, key, 0, false);
  }
  out += ':';
}

/// Appends the members of a container. After a key, starts a new line. Like kubectl, does not
/// indent a list relative to its key.
void append_members(std::string& out, const JsonTree& tree, const JsonTree::Node& node,
                    std::size_t indent, YamlPlace place) {
  const bool is_object = node.kind == JsonTree::Kind::object;
  bool at_line_start = place == YamlPlace::document;
  if (place == YamlPlace::behind_key) {
    out += '\n';
    at_line_start = true;
  } else if (place == YamlPlace::behind_dash) {
    out += ' ';
  }
  for (const JsonTree::Node* child : tree.sorted_children(node)) {
    if (at_line_start) out.append(indent, ' ');
    at_line_start = true;
    if (is_object) {
      append_key(out, child->key, indent);
      const bool is_list = child->kind == JsonTree::Kind::array;
      append_yaml(out, tree, *child, is_list ? indent : indent + 2, YamlPlace::behind_key);
    } else {
      out += '-';
      append_yaml(out, tree, *child, indent + 2, YamlPlace::behind_dash);
    }
  }
}

}  // namespace

void append_yaml_string(std::string& out, std::string_view text, std::size_t indent,
                        bool may_be_block) {
  const YamlStringShape shape = yaml_string_shape(text);
  if (shape.block_allowed && may_be_block) {
    append_block(out, text, indent);
  } else if (shape.special_characters || text.find('\n') != std::string_view::npos ||
             yaml_resolves_to_non_string(text)) {
    append_double_quoted(out, text);
  } else if (shape.plain_allowed) {
    out += text;
  } else {
    append_single_quoted(out, text);
  }
}

void append_yaml(std::string& out, const JsonTree& tree, const JsonTree::Node& node,
                 std::size_t indent, YamlPlace place) {
  const bool is_container =
      node.kind == JsonTree::Kind::object || node.kind == JsonTree::Kind::array;
  if (is_container && !tree.is_empty(node)) {
    append_members(out, tree, node, indent, place);
    return;
  }
  if (place != YamlPlace::document) out += ' ';
  if (is_container) {
    out += node.kind == JsonTree::Kind::object ? "{}" : "[]";
  } else if (node.kind == JsonTree::Kind::string) {
    // The lines of a block are indented, also those of a document that is only a string.
    append_yaml_string(out, json_unquoted(node.text),
                       place == YamlPlace::document ? indent + 2 : indent, true);
  } else {
    out += node.text;
  }
  out += '\n';
}

}  // namespace kinf
