// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/quote.h"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>

namespace kinf {
namespace {

/// One code point at the start of `text`; size 0 if its bytes are not UTF-8.
struct CodePoint {
  std::uint32_t value = 0;
  std::size_t size = 0;
};

CodePoint decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t size = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3
                         : lead < 0xf5 ? 4 : 0;
  if (size == 0 || size > text.size()) return {};
  if (size == 1) return {lead, 1};
  std::uint32_t value = lead & (0x7fU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    value = value << 6 | (byte(i) & 0x3fU);
  }
  const bool overlong = (size == 3 && value < 0x800) || (size == 4 && value < 0x10000);
  const bool surrogate = value >= 0xd800 && value < 0xe000;
  if (overlong || surrogate || value > 0x10ffff) return {};
  return {value, size};
}

/// The letter behind the backslash of a short escape; 0 if there is none.
char short_escape(std::uint32_t value) {
  switch (value) {
    case '"': return '"';
    case '\\': return '\\';
    case '\a': return 'a';
    case '\b': return 'b';
    case '\f': return 'f';
    case '\n': return 'n';
    case '\r': return 'r';
    case '\t': return 't';
    case '\v': return 'v';
    default: return 0;
  }
}

}  // namespace

std::string quoted(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const CodePoint point = decode(text);
    const std::size_t size = point.size == 0 ? 1 : point.size;
    const char letter = point.size == 0 ? '\0' : short_escape(point.value);
    if (letter != 0) {
      out += '\\';
      out += letter;
    } else if (point.size == 0 || point.value < 0x20 || point.value == 0x7f) {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(text[0]));
    } else if (point.value >= 0x80 && point.value < 0xa0) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", point.value);
    } else {
      out.append(text.substr(0, size));
    }
    text.remove_prefix(size);
  }
  out += '"';
  return out;
}

}  // namespace kinf
