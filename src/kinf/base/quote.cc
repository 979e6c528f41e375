// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/quote.h"

#include <fmt/format.h>

#include <cstdint>

#include "kinf/base/unicode.h"

namespace kinf {

std::string quoted(std::string_view text) {
  constexpr std::string_view kEscaped = "\a\b\f\n\r\t\v\\\"";
  constexpr std::string_view kNames = "abfnrtv\\\"";
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const Rune rune = decode_rune(text, at);
    const std::string_view bytes = text.substr(at, rune.size);
    const auto code = static_cast<std::uint32_t>(rune.value);
    const bool broken = rune.size == 1 && code > 0x7F;
    if (const auto known = rune.size == 1 ? kEscaped.find(bytes) : std::string_view::npos;
        known != std::string_view::npos) {
      out += '\\';
      out += kNames[known];
    } else if (broken || code < 0x20 || code == 0x7F) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(bytes.front()));
    } else if (is_printable(rune.value)) {
      out += bytes;
    } else {
      out += code < 0x10000 ? fmt::format("\\u{:04x}", code) : fmt::format("\\U{:08x}", code);
    }
    at += rune.size;
  }
  return out + '"';
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view kHarmless =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-";
  if (!text.empty() && text.find_first_not_of(kHarmless) == std::string_view::npos) {
    return std::string(text);
  }
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

}  // namespace kinf
