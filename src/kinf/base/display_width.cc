// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/display_width.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "kinf/base/unicode.h"

namespace kinf {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

/// Combining characters and variation selectors, which take no cells.
constexpr Range kNoCells[] = {
    {0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},   {0x5BF, 0x5BF},   {0x5C1, 0x5C2},
    {0x5C4, 0x5C5},   {0x5C7, 0x5C7},   {0x610, 0x61A},   {0x64B, 0x65F},   {0x670, 0x670},
    {0x6D6, 0x6DC},   {0x6DF, 0x6E4},   {0x6E7, 0x6E8},   {0x6EA, 0x6ED},   {0x711, 0x711},
    {0x730, 0x74A},   {0x900, 0x902},   {0x93A, 0x93A},   {0x93C, 0x93C},   {0x941, 0x948},
    {0x94D, 0x94D},   {0x951, 0x957},   {0x962, 0x963},   {0xE31, 0xE31},   {0xE34, 0xE3A},
    {0xE47, 0xE4E},   {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF}, {0x302A, 0x302D},
    {0x3099, 0x309A}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}};

/// The wide characters of East Asian Width (Unicode annex 11) and emoji, which take two cells.
constexpr Range kTwoCells[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},
    {0x23F0, 0x23F0},   {0x23F3, 0x23F3},   {0x25FD, 0x25FE},   {0x2614, 0x2615},
    {0x2648, 0x2653},   {0x267F, 0x267F},   {0x2693, 0x2693},   {0x26A1, 0x26A1},
    {0x26AA, 0x26AB},   {0x26BD, 0x26BE},   {0x26C4, 0x26C5},   {0x26CE, 0x26CE},
    {0x26D4, 0x26D4},   {0x26EA, 0x26EA},   {0x26F2, 0x26F3},   {0x26F5, 0x26F5},
    {0x26FA, 0x26FA},   {0x26FD, 0x26FD},   {0x2705, 0x2705},   {0x270A, 0x270B},
    {0x2728, 0x2728},   {0x274C, 0x274C},   {0x274E, 0x274E},   {0x2753, 0x2755},
    {0x2757, 0x2757},   {0x2795, 0x2797},   {0x27B0, 0x27B0},   {0x27BF, 0x27BF},
    {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},   {0x2B55, 0x2B55},   {0x2E80, 0x303E},
    {0x3041, 0x4DBF},   {0x4E00, 0xA4CF},   {0xA960, 0xA97C},   {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},   {0xFE10, 0xFE19},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
    {0xFFE0, 0xFFE6},   {0x16FE0, 0x18CFF}, {0x1B000, 0x1B2FF}, {0x1F004, 0x1F004},
    {0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A}, {0x1F200, 0x1F64F},
    {0x1F680, 0x1F6FF}, {0x1F7E0, 0x1F7EB}, {0x1F900, 0x1F9FF}, {0x1FA70, 0x1FAFF},
    {0x20000, 0x3FFFD}};

template <std::size_t kCount>
bool is_in(const Range (&ranges)[kCount], char32_t rune) {
  const auto after = std::ranges::upper_bound(ranges, rune, {}, &Range::first);
  return after != std::begin(ranges) && rune <= std::prev(after)->last;
}

std::size_t width_of(char32_t rune) {
  if (rune < 0x300 || is_in(kNoCells, rune)) return rune < 0x300 ? 1 : 0;
  return is_in(kTwoCells, rune) ? 2 : 1;
}

/// Returns the longest suffix of `text` that is at most `width` cells wide and does not begin with
/// a combining character.
std::string_view end_of(std::string_view text, std::size_t width) {
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < text.size(); at += decode_rune(text, at).size) starts.push_back(at);
  std::size_t begin = text.size();
  for (auto start = starts.rbegin(); start != starts.rend(); ++start) {
    const std::size_t cells = width_of(decode_rune(text, *start).value);
    if (cells > width) break;
    width -= cells;
    if (cells > 0) begin = *start;
  }
  return text.substr(begin);
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Rune rune = decode_rune(text, at);
    width += width_of(rune.value);
    at += rune.size;
  }
  return width;
}

std::string_view start_of(std::string_view text, std::size_t width) {
  std::size_t at = 0;
  while (at < text.size()) {
    const Rune rune = decode_rune(text, at);
    const std::size_t cells = width_of(rune.value);
    if (cells > width) break;
    width -= cells;
    at += rune.size;
  }
  return text.substr(0, at);
}

std::string shortened(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width == 0) return {};
  return std::string(start_of(text, width - 1)) + "…";
}

std::string shortened_in_the_middle(std::string_view text, std::size_t width, std::size_t parts) {
  if (width < 3 || display_width(text) <= width) return shortened(text, width);
  const std::size_t start = width / parts;
  return std::string(start_of(text, start)).append("…").append(end_of(text, width - 1 - start));
}

std::vector<std::string_view> wrapped_at(std::string_view text, std::size_t width) {
  std::vector<std::string_view> lines;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (text.empty()) return lines;
    std::string_view line = start_of(text, width);
    if (line.empty()) line = text.substr(0, decode_rune(text, 0).size);
    if (line.size() < text.size() && text[line.size()] != ' ') {
      const std::size_t space = line.find_last_of(" ,");
      if (space != std::string_view::npos) line = line.substr(0, space + 1);
    }
    text.remove_prefix(line.size());
    lines.push_back(line.substr(0, line.find_last_not_of(' ') + 1));
  }
}

}  // namespace kinf
