// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/visible_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include "kinf/base/unicode.h"

namespace kinf {
namespace {

/// The ANSI code of each Colour. The code of `none` resets the colour.
constexpr std::array<std::string_view, 5> kCodes = {"\x1b[0m", "\x1b[31m", "\x1b[32m", "\x1b[33m",
                                                    "\x1b[90m"};

std::string_view code_of(Colour colour) { return kCodes.at(static_cast<std::size_t>(colour)); }

}  // namespace

void append_coloured(std::string& out, std::string_view text, Colour colour) {
  if (colour == Colour::none || text.empty()) {
    out += text;
  } else {
    out.append(code_of(colour)).append(text).append(code_of(Colour::none));
  }
}

std::size_t colour_code_size(std::string_view text) {
  for (const std::string_view code : kCodes) {
    if (text.starts_with(code)) return code.size();
  }
  return 0;
}

namespace {

bool is_plain(char c) { return c >= 0x20 && c < 0x7F; }

void append_escaped(std::string& out, char32_t rune) {
  const auto code = static_cast<std::uint32_t>(rune);
  if (code > 0xFFFF) {  // needs two surrogates
    const std::uint32_t rest = code - 0x10000;
    fmt::format_to(std::back_inserter(out), "\\u{:04x}\\u{:04x}", 0xD800 + (rest >> 10U),
                   0xDC00 + (rest & 0x3FFU));
  } else {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", code);
  }
}

/// Appends `text`, and escapes characters that are not printable, except those in `kept`.
void append_visible(std::string& out, std::string_view text, std::string_view kept,
                    ColourCodes codes) {
  while (!text.empty()) {
    const auto plain =
        static_cast<std::size_t>(std::ranges::find_if_not(text, is_plain) - text.begin());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) return;
    std::size_t size = codes == ColourCodes::keep ? colour_code_size(text) : 0;
    if (size > 0 || kept.find(text.front()) != std::string_view::npos) {
      size = std::max<std::size_t>(size, 1);
      out += text.substr(0, size);
    } else if (text.front() == '\n' || text.front() == '\t') {
      out += text.front() == '\n' ? "\\n" : "\\t";
      size = 1;
    } else {
      const Rune rune = decode_rune(text, 0);
      size = rune.size;
      if (is_printable(rune.value) || is_space(rune.value)) {
        append_utf8(out, rune.value);
      } else {
        append_escaped(out, rune.value);
      }
    }
    text.remove_prefix(size);
  }
}

}  // namespace

std::string visible_text(std::string_view text, ColourCodes codes) {
  std::string out;
  out.reserve(text.size());
  append_visible(out, text, "\n\t", codes);
  return out;
}

std::string visible_line(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  append_visible(out, text, "", ColourCodes::escape);
  return out;
}

}  // namespace kinf
