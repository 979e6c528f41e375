// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/yaml_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "kinf/base/ascii.h"
#include "kinf/base/json_string.h"
#include "kinf/base/unicode.h"

namespace kinf {
namespace {

/// Removes leading characters for which `wanted` returns true. Returns their number.
template <class Predicate>
std::size_t skip(std::string_view& text, Predicate wanted) {
  std::size_t count = 0;
  while (count < text.size() && wanted(text[count])) ++count;
  text.remove_prefix(count);
  return count;
}

std::size_t skip_digits(std::string_view& text) {
  return skip(text, [](char c) { return is_digit(c) || c == '_'; });
}

/// Returns true for numbers without a sign, such as `1`, `1_000`, `.5`, `1.5e3`, and `1:30`, which
/// is a sexagesimal number in YAML 1.1.
bool is_decimal(std::string_view text) {
  if (text.empty() || text.front() == '_') return false;
  const std::size_t whole = skip_digits(text);
  if (whole > 0 && text.starts_with(':')) {
    while (text.starts_with(':')) {
      text.remove_prefix(1);
      if (skip_digits(text) == 0) return false;
    }
    if (text.starts_with('.')) text.remove_prefix(1);
    skip_digits(text);
    return text.empty();
  }
  std::size_t fraction = 0;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    fraction = skip_digits(text);
  }
  if (whole + fraction == 0) return false;
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    if (skip_digits(text) == 0) return false;
  }
  return text.empty();
}

bool is_number(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const std::string small = to_lower(text);
  if (small == ".inf" || small == ".nan") return true;
  if (small.starts_with("0x") || small.starts_with("0o") || small.starts_with("0b")) {
    return small.size() > 2 && std::all_of(small.begin() + 2, small.end(), [](char c) {
             return is_digit(c) || (c >= 'a' && c <= 'f') || c == '_' || c == '.' || c == 'p';
           });
  }
  return is_decimal(text);
}

/// Returns whether the text is a date, with or without a time.
bool is_date(std::string_view text) {
  if (text.size() < 8 || !std::all_of(text.begin(), text.begin() + 4, is_digit) || text[4] != '-') {
    return false;
  }
  return text.find_first_not_of("0123456789-:.+TtZz ") == std::string_view::npos;
}

bool is_yaml_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

bool has_special_characters(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Rune rune = decode_rune(text, at);
    if (rune.value != '\n' && is_special_in_yaml(rune.value)) return true;
    at += rune.size;
  }
  return false;
}

bool starts_like_a_mark(std::string_view text) {
  constexpr std::string_view kMarks = ",[]{}#&*!|>'\"%@`";
  if (kMarks.find(text.front()) != std::string_view::npos) return true;
  if (text.starts_with("---") || text.starts_with("...")) return true;
  constexpr std::string_view kMarksBeforeBlank = "-?:";
  return kMarksBeforeBlank.find(text.front()) != std::string_view::npos &&
         (text.size() == 1 || is_yaml_blank(text[1]));
}

bool has_inner_mark(std::string_view text) {
  return text.back() == ':' || text.find(": ") != std::string_view::npos ||
         text.find(" #") != std::string_view::npos;
}

/// The maximum length of a key written as `key:`, in bytes. YAML parsers need not accept longer
/// ones.
constexpr std::size_t kPlainKeyBytes = 1000;

void append_single_quoted(std::string& out, std::string_view text) {
  out += '\'';
  for (const char c : text) {
    if (c == '\'') out += '\'';
    out += c;
  }
  out += '\'';
}

/// Appends a string with JSON escapes, which are valid in YAML. Also escapes characters that are
/// special only in YAML.
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
  if (key.size() > kPlainKeyBytes) {
    out += "? ";
    append_double_quoted(out, key);
    out += '\n';
    out.append(indent, ' ');
  } else {
    append_yaml_string(out, key, 0, false);
  }
  out += ':';
}

/// Appends the members of an object or the elements of a list. After a key, starts a new line. Like
/// kubectl, does not indent a list relative to its key.
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

bool is_special_in_yaml(char32_t rune) {
  return rune < 0x20 || (rune >= 0x7F && rune < 0xA0) || rune == 0x2028 || rune == 0x2029 ||
         rune == 0xFEFF;
}

bool yaml_resolves_to_non_string(std::string_view text) {
  constexpr std::array<std::string_view, 13> kWords = {
      "", "~", "null", "true", "false", "yes", "no", "y", "n", "on", "off", "<<", "="};
  return std::ranges::find(kWords, to_lower(text)) != kWords.end() || is_number(text) ||
         is_date(text);
}

YamlStringShape yaml_string_shape(std::string_view text) {
  YamlStringShape shape;
  shape.special_characters = has_special_characters(text);
  if (text.empty() || shape.special_characters) return shape;
  const bool blank_ends = is_yaml_blank(text.front()) || is_yaml_blank(text.back());
  const bool several_lines = text.find('\n') != std::string_view::npos;
  shape.plain_allowed =
      !blank_ends && !several_lines && !starts_like_a_mark(text) && !has_inner_mark(text);
  shape.block_allowed = several_lines && !is_yaml_blank(text.front()) && text.back() != ' ' &&
                        text.find(" \n") == std::string_view::npos;
  return shape;
}

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
    // A literal block must be indented, even if the whole document is this string.
    append_yaml_string(out, json_unquoted(node.text),
                       place == YamlPlace::document ? indent + 2 : indent, true);
  } else {
    out += node.text;
  }
  out += '\n';
}

}  // namespace kinf
