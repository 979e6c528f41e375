// SPDX-License-Identifier: Apache-2.0
// Measures and shortens text by the cells that it takes on a terminal. Does not depend on the
// locale. Chinese, Japanese and Korean characters and emoji take two cells, combining characters
// none. Approximate for rare scripts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kinf {

/// Returns the width of printable text, in cells.
std::size_t display_width(std::string_view text);

/// Returns `text`, or if it is wider than `width` cells, its start and `…`.
std::string shortened(std::string_view text, std::size_t width);

/// Returns `text`, or if it is wider than `width` cells, its start, `…` and its end. The start gets
/// 1/`parts` of the width.
std::string shortened_in_the_middle(std::string_view text, std::size_t width,
                                    std::size_t parts = 2);

}  // namespace kinf
