// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/base64.h"

#include <array>
#include <cstdint>

namespace kinf {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<std::int8_t, 256> make_values() {
  std::array<std::int8_t, 256> values{};
  values.fill(-1);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::int8_t>(i);
  }
  return values;
}
constexpr std::array<std::int8_t, 256> kValues = make_values();

}  // namespace

std::string base64_encode(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view group = bytes.substr(i, 3);
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      bits = bits << 8 | (j < group.size() ? static_cast<unsigned char>(group[j]) : 0U);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      out += j <= group.size() ? kAlphabet[bits >> (18 - 6 * j) & 63U] : '=';
    }
  }
  return out;
}

std::optional<std::string> base64_decode(std::string_view text) {
  std::string out;
  out.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int digits = 0;
  int padding = 0;
  for (const char c : text) {
    if (c == '\n' || c == '\r') continue;
    if (c == '=' && digits >= 2) {
      ++padding;
      bits <<= 6;
    } else {
      const std::int8_t value = kValues[static_cast<unsigned char>(c)];
      if (value < 0 || padding > 0) return std::nullopt;
      bits = bits << 6 | static_cast<std::uint32_t>(value);
    }
    if (++digits < 4) continue;
    for (int i = 0; i < 3 - padding; ++i) {
      out += static_cast<char>(bits >> (16 - 8 * i) & 255U);
    }
    bits = 0;
    digits = padding == 0 ? 0 : 4;  // no characters may follow padding
  }
  if (digits != 0 && padding == 0) return std::nullopt;
  if (padding > 2 || (padding > 0 && digits != 4)) return std::nullopt;
  return out;
}

}  // namespace kinf
