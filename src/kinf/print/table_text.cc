// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/table_text.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "kinf/base/unicode.h"

namespace kinf {
namespace {

constexpr std::size_t kMinWidth = 6;
constexpr std::size_t kPadding = 3;

}  // namespace

void TableText::reserve(std::size_t column, std::size_t width) {
  if (remembered_.size() <= column) remembered_.resize(column + 1, kMinWidth);
  remembered_[column] = std::max(remembered_[column], width + kPadding);
}

void TableText::add_cell(std::string_view text) {
  const std::size_t line_break = text.find_first_of("\f\n\r");
  row_.cells.emplace_back();
  for (const char c : text.substr(0, line_break)) {
    if (c == '\t' || c == '\v') {
      row_.cells.emplace_back();
    } else if (c == '\x1b') {
      row_.cells.back() += "^[";
    } else {
      row_.cells.back() += c;
    }
  }
  if (line_break != std::string_view::npos) row_.cells.back() += "...";
}

void TableText::end_row() { rows_.push_back(std::exchange(row_, Row())); }

/// Computes the widths column by column. Consecutive rows with a cell to the right of a column form
/// a block, and all rows of a block use one width, as in Go's text/tabwriter, which kubectl uses.
/// Like kubectl, keeps the widths from one block to the next.
void TableText::lay_out() {
  std::vector<std::size_t> reaching(rows_.size());
  std::iota(reaching.begin(), reaching.end(), std::size_t{0});
  for (std::size_t column = 0; !reaching.empty(); ++column) {
    std::erase_if(reaching, [&](std::size_t row) { return rows_[row].cells.size() <= column + 1; });
    if (remembered_.size() <= column && !reaching.empty()) remembered_.push_back(kMinWidth);
    for (auto block = reaching.begin(); block != reaching.end();) {
      auto end = block;
      std::size_t& width = remembered_[column];
      do {
        width = std::max(width, code_points(rows_[*end].cells[column]) + kPadding);
        ++end;
      } while (end != reaching.end() && *end == *(end - 1) + 1);
      for (; block != end; ++block) rows_[*block].widths.push_back(width);
    }
  }
}

std::string TableText::flush() {
  lay_out();
  std::string lines;
  for (const Row& row : rows_) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      lines += row.cells[i];
      if (i < row.widths.size()) lines.append(row.widths[i] - code_points(row.cells[i]), ' ');
    }
    lines += '\n';
  }
  rows_.clear();
  return lines;
}

}  // namespace kinf
