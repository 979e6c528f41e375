// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <optional>

namespace kinf {
namespace {

constexpr std::size_t kIndent = 4;
constexpr std::uint32_t kReplacement = 0xfffd;

void append_escaped(std::string& out, unsigned char byte) {
  switch (byte) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      if (byte < 0x20) {
        fmt::format_to(std::back_inserter(out), "\\u{:04x}", byte);
      } else {
        out += static_cast<char>(byte);
      }
  }
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | (code >> 6));
    put(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    put(0xe0 | (code >> 12));
    put(0x80 | ((code >> 6) & 0x3f));
    put(0x80 | (code & 0x3f));
  } else {
    put(0xf0 | (code >> 18));
    put(0x80 | ((code >> 12) & 0x3f));
    put(0x80 | ((code >> 6) & 0x3f));
    put(0x80 | (code & 0x3f));
  }
}

/// The four hex digits of a \u escape at the start of `text`.
std::optional<std::uint32_t> hex4(std::string_view text) {
  if (text.size() < 6 || text[0] != '\\' || text[1] != 'u') return std::nullopt;
  std::uint32_t code = 0;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + 6, code, 16);
  if (error != std::errc() || end != text.data() + 6) return std::nullopt;
  return code;
}

/// Appends what the escape at the start of `text` stands for; returns its length.
std::size_t append_unescaped(std::string& out, std::string_view text) {
  const char kind = text.size() > 1 ? text[1] : '\0';
  constexpr std::string_view kShort = "\"\"\\\\//b\bf\fn\nr\rt\t";
  for (std::size_t i = 0; i < kShort.size(); i += 2) {
    if (kShort[i] == kind) {
      out += kShort[i + 1];
      return 2;
    }
  }
  const std::optional<std::uint32_t> code = hex4(text);
  if (!code) {
    out += text[0];
    return 1;
  }
  if (*code < 0xd800 || *code > 0xdfff) {
    append_utf8(out, *code);
    return 6;
  }
  const std::optional<std::uint32_t> low = *code < 0xdc00 ? hex4(text.substr(6)) : std::nullopt;
  if (!low || *low < 0xdc00 || *low > 0xdfff) {
    append_utf8(out, kReplacement);
    return 6;
  }
  append_utf8(out, 0x10000 + ((*code - 0xd800) << 10) + (*low - 0xdc00));
  return 12;
}

}  // namespace

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  std::size_t done = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 0x20 && byte != '"' && byte != '\\') continue;
    out.append(text, done, i - done);
    append_escaped(out, byte);
    done = i + 1;
  }
  out.append(text, done);
  out += '"';
}

std::string unquote(std::string_view quoted) {
  if (quoted.size() < 2) return {};
  std::string_view text = quoted.substr(1, quoted.size() - 2);
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t plain = std::min(text.find('\\'), text.size());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (!text.empty()) text.remove_prefix(append_unescaped(out, text));
  }
  return out;
}

void append_one_line(std::string& out, std::string_view json) {
  const bool is_one_line =
      std::ranges::none_of(json, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  if (is_one_line) {
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
      append_escaped(out, static_cast<unsigned char>(c));
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
