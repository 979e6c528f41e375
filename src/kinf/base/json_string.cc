// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/json_string.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <optional>

#include "kinf/base/unicode.h"

namespace kinf {
namespace {

/// Pairs of a character and the letter that represents it after a backslash.
constexpr std::string_view kShort = "\"\"\\\\\bb\ff\nn\rr\tt";

void append_code(std::string& out, char32_t code) {
  fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<std::uint32_t>(code));
}

bool is_escaped(unsigned char byte) { return byte < 0x20 || byte == '"' || byte == '\\'; }

/// Returns the code of the \u escape at the start of `text`; nullopt if there is none.
std::optional<char32_t> hex4(std::string_view text) {
  if (text.size() < 6 || text[0] != '\\' || text[1] != 'u') return std::nullopt;
  std::uint32_t code = 0;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + 6, code, 16);
  if (error != std::errc() || end != text.data() + 6) return std::nullopt;
  return code;
}

/// Decodes the escape at the start of `text` and appends the character. Returns the length of the
/// escape.
std::size_t append_unescaped(std::string& out, std::string_view text) {
  const char kind = text.size() > 1 ? text[1] : '\0';
  for (std::size_t i = 0; i < kShort.size(); i += 2) {
    if (kShort[i + 1] != kind) continue;
    out += kShort[i];
    return 2;
  }
  const std::optional<char32_t> code = hex4(text);
  if (!code) {
    out += kind == '/' ? kind : text[0];
    return kind == '/' ? 2 : 1;
  }
  if (*code < 0xD800 || *code > 0xDFFF) {
    append_utf8(out, *code);
    return 6;
  }
  const std::optional<char32_t> low = *code < 0xDC00 ? hex4(text.substr(6)) : std::nullopt;
  if (!low || *low < 0xDC00 || *low > 0xDFFF) {
    append_utf8(out, kReplacement);
    return 6;
  }
  append_utf8(out, 0x10000 + ((*code - 0xD800) << 10) + (*low - 0xDC00));
  return 12;
}

}  // namespace

void append_json_escaped(std::string& out, char byte) {
  if (!is_escaped(static_cast<unsigned char>(byte))) {
    out += byte;
    return;
  }
  for (std::size_t i = 0; i < kShort.size(); i += 2) {
    if (kShort[i] != byte) continue;
    out += '\\';
    out += kShort[i + 1];
    return;
  }
  append_code(out, static_cast<unsigned char>(byte));
}

void append_json_string(std::string& out, std::string_view text, JsonEscapes escapes) {
  out += '"';
  std::size_t done = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const Rune rune = escapes == JsonEscapes::as_go && byte >= 0x80
                          ? decode_rune(text, i)
                          : Rune{static_cast<char32_t>(byte), 1};
    const bool broken = rune.value == kReplacement && rune.size == 1;
    const bool only_go =
        escapes == JsonEscapes::as_go && (broken || byte == '<' || byte == '>' || byte == '&' ||
                                          rune.value == 0x2028 || rune.value == 0x2029);
    if (only_go || is_escaped(byte)) {
      out.append(text, done, i - done);
      done = i + rune.size;
      if (broken) {
        append_utf8(out, kReplacement);
      } else if (only_go) {
        append_code(out, rune.value);
      } else {
        append_json_escaped(out, text[i]);
      }
    }
    i += rune.size;
  }
  out.append(text, done).append("\"");
}

void append_json_name(std::string& out, std::string_view name) {
  if (out.back() != '{') out += ',';
  out.append("\"").append(name).append("\":");
}

void append_json_member(std::string& out, std::string_view name, std::string_view text) {
  append_json_name(out, name);
  append_json_string(out, text);
}

std::string json_unquoted(std::string_view quoted) {
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

std::size_t json_depth(std::string_view text) {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      deepest = std::max(deepest, ++depth);
    } else if (depth > 0 && (c == '}' || c == ']')) {
      --depth;
    }
  }
  return deepest;
}

}  // namespace kinf
