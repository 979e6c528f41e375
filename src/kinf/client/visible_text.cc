// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/visible_text.h"

#include <fmt/format.h>

#include <cstdint>

#include "kinf/base/unicode.h"

namespace kinf {

std::string visible_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Rune rune = decode_rune(text, at);
    const bool broken = rune.value == 0xfffd && rune.size == 1;
    const bool space = (rune.value >= '\t' && rune.value <= '\r') || rune.value == U'\u00a0' ||
                       rune.value == U'\u3000';
    if (!broken && (space || is_printable(rune.value))) {
      out += text.substr(at, rune.size);
    } else {
      out += fmt::format("U+{:04X}", static_cast<std::uint32_t>(rune.value));
    }
    at += rune.size;
  }
  return out;
}

}  // namespace kinf
