// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/visible_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace kinf {
namespace {

struct Decoded {
  std::uint32_t code = 0xfffd;
  std::size_t size = 1;
};

/// The code point at the start of `text`; U+FFFD and one byte for what is not UTF-8.
Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < size) return {};
  std::uint32_t code = lead & (0xffU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return {};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  static constexpr std::array<std::uint32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kSmallest[size] || code > 0x10ffff || surrogate) return {};
  return {code, size};
}

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

/// Unicode categories Cc (but for white space), Cf, Co and the noncharacters.
constexpr std::array<Range, 23> kHidden = {
    {{0x00, 0x08},       {0x0e, 0x1f},       {0x7f, 0x9f},       {0xad, 0xad},
     {0x600, 0x605},     {0x61c, 0x61c},     {0x6dd, 0x6dd},     {0x70f, 0x70f},
     {0x890, 0x891},     {0x8e2, 0x8e2},     {0x180e, 0x180e},   {0x200b, 0x200f},
     {0x202a, 0x202e},   {0x2060, 0x206f},   {0xe000, 0xf8ff},   {0xfdd0, 0xfdef},
     {0xfeff, 0xfeff},   {0xfff0, 0xfffb},   {0xfffe, 0xffff},   {0x110bd, 0x110bd},
     {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0x10ffff}}};

bool is_hidden(std::uint32_t code) {
  return std::ranges::any_of(
      kHidden, [code](const Range& range) { return code >= range.first && code <= range.last; });
}

}  // namespace

std::string visible_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Decoded next = decode(text);
    const bool broken = next.code == 0xfffd && next.size == 1;
    if (broken || is_hidden(next.code)) {
      out += fmt::format("U+{:04X}", next.code);
    } else {
      out += text.substr(0, next.size);
    }
    text.remove_prefix(next.size);
  }
  return out;
}

}  // namespace kinf
