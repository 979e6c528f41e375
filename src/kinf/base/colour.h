// SPDX-License-Identifier: Apache-2.0
// The colours of text on a terminal, as ANSI codes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kinf {

enum class Colour { none, red, green, yellow, grey };

/// Appends `text` in a colour. The text must not have colours itself.
void append_coloured(std::string& out, std::string_view text, Colour colour);

/// Returns the length of the colour code at the start of `text`; 0 if there is none. Knows only the
/// codes that append_coloured() writes.
std::size_t colour_code_size(std::string_view text);

}  // namespace kinf
