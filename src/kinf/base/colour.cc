// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/colour.h"

#include <array>

namespace kinf {
namespace {

/// The code of each colour. That of `none` ends a colour.
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

}  // namespace kinf
