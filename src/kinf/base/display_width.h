// SPDX-License-Identifier: Apache-2.0
// Measures and shortens text by the cells that it takes on a terminal. Does not depend on the
// locale. Chinese, Japanese and Korean characters and emoji take two cells, combining characters
// none. Approximate for rare scripts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kinf {

/// Returns the width of printable text, in cells.
std::size_t display_width(std::string_view text);

/// Returns the longest prefix of `text` that is at most `width` cells wide.
std::string_view start_of(std::string_view text, std::size_t width);

/// Returns `text`, or if it is wider than `width` cells, its start and `…`.
std::string shortened(std::string_view text, std::size_t width);

/// Returns `text`, or if it is wider than `width` cells, its start, `…` and its end. The start gets
/// 1/`parts` of the width.
std::string shortened_in_the_middle(std::string_view text, std::size_t width,
                                    std::size_t parts = 2);

/// Returns the lines of `text`, each at most `width` cells wide. Breaks after a space or comma, or
/// inside a word that is wider than a line. Leaves out spaces at the ends of lines. A character
/// that is wider than `width` is a line of its own. The lines point into `text`.
std::vector<std::string_view> wrapped_at(std::string_view text, std::size_t width);

}  // namespace kinf
