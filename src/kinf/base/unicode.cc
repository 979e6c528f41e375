// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/unicode.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace kinf {
namespace {

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

bool is_symbol_block(char32_t rune) {
  return (rune >= 0x80 && rune <= 0xBF && rune != 0xAA && rune != 0xB5 && rune != 0xBA) ||
         rune == 0xD7 || rune == 0xF7 || (rune >= 0x2000 && rune <= 0x2BFF) ||
         (rune >= 0x3000 && rune <= 0x3004) || (rune >= 0x3007 && rune <= 0x3030) ||
         (rune >= 0xD800 && rune <= 0xF8FF) || (rune >= 0xFE00 && rune <= 0xFE6F) ||
         (rune >= 0xFFF0 && rune <= 0xFFFF) || (rune >= 0x1F000 && rune <= 0x1FAFF) ||
         rune >= 0xE0000;
}

}  // namespace

Rune decode_rune(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {0, 0};
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) return {lead, 1};
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || at + size > text.size()) return {kReplacement, 1};
  char32_t value = lead & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if (!is_continuation(text[at + i])) return {kReplacement, 1};
    value = (value << 6U) | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
  }
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < kSmallest[size] || value > 0x10FFFF || surrogate) return {kReplacement, 1};
  return {value, size};
}

std::size_t code_points(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, is_continuation));
}

void append_utf8(std::string& out, char32_t rune) {
  const auto tail = [&](unsigned shift) {
    out += static_cast<char>(0x80U | ((rune >> shift) & 0x3FU));
  };
  if (rune < 0x80) {
    out += static_cast<char>(rune);
  } else if (rune < 0x800) {
    out += static_cast<char>(0xC0U | (rune >> 6U));
    tail(0);
  } else if (rune < 0x10000) {
    out += static_cast<char>(0xE0U | (rune >> 12U));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0U | (rune >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
}

bool is_word_rune(char32_t rune) {
  if (rune < 0x80) {
    return rune == '_' || (rune >= '0' && rune <= '9') || (rune >= 'a' && rune <= 'z') ||
           (rune >= 'A' && rune <= 'Z');
  }
  return !is_symbol_block(rune);
}

bool is_printable(char32_t rune) {
  constexpr std::pair<char32_t, char32_t> kHidden[] = {
      {0x00, 0x1F},     {0x7F, 0xA0},     {0xAD, 0xAD},     {0x61C, 0x61C},   {0x1680, 0x1680},
      {0x180E, 0x180E}, {0x2000, 0x200F}, {0x2028, 0x202F}, {0x205F, 0x206F}, {0x3000, 0x3000},
      {0xD800, 0xF8FF}, {0xFEFF, 0xFEFF}, {0xFFF0, 0xFFFB}, {0xFFFE, 0xFFFF}, {0xE0000, 0x10FFFF}};
  return std::none_of(std::begin(kHidden), std::end(kHidden), [&](const auto& range) {
    return rune >= range.first && rune <= range.second;
  });
}

bool is_space(char32_t rune) {
  return rune == 0x20 || rune == 0xA0 || rune == 0x1680 || (rune >= 0x2000 && rune <= 0x200A) ||
         rune == 0x202F || rune == 0x205F || rune == 0x3000;
}

}  // namespace kinf
