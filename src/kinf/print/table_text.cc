// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/table_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "kinf/base/display_width.h"
#include "kinf/base/limits.h"
#include "kinf/base/log.h"
#include "kinf/base/unicode.h"

namespace kinf {
namespace {

constexpr std::size_t kMinWidth = 6;
constexpr std::size_t kPadding = 3;

/// Returns the first limits::kCellCharacters code points, and `…` if there are more.
std::string bounded(std::string_view text) {
  if (text.size() <= limits::kCellCharacters) return std::string(text);
  std::size_t at = 0;
  for (std::size_t i = 0; i < limits::kCellCharacters && at < text.size(); ++i) {
    at += decode_rune(text, at).size;
  }
  return std::string(text.substr(0, at)) + (at < text.size() ? "…" : "");
}

void set_at_least(std::vector<std::size_t>& widths, std::size_t column, std::size_t width,
                  std::size_t otherwise) {
  if (widths.size() <= column) widths.resize(column + 1, otherwise);
  widths[column] = std::max(widths[column], width);
}

/// Returns whether two layouts print the same columns with the same gap.
bool looks_alike(const ColumnFit& a, const ColumnFit& b) {
  return a.gap == b.gap &&
         std::ranges::equal(a.widths, b.widths, [](std::size_t one, std::size_t other) {
           return (one == 0) == (other == 0);
         });
}

void append_quoted(std::string& out, std::string_view cell) {
  if (cell.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += cell;
    return;
  }
  out += '"';
  for (const char c : cell) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

void append_escaped(std::string& out, std::string_view cell) {
  constexpr std::string_view kSpecial = "\t\n\r\\";
  constexpr std::string_view kNames = "tnr\\";
  for (const char c : cell) {
    const std::size_t special = kSpecial.find(c);
    if (special == std::string_view::npos) {
      out += c;
    } else {
      out += '\\';
      out += kNames[special];
    }
  }
}

}  // namespace

void TableText::reserve(std::size_t column, std::size_t width) {
  set_at_least(remembered_, column, width + kPadding, kMinWidth);
  set_at_least(reserved_, column, width, 0);
}

void TableText::add_cell(std::string_view text, Colour colour) {
  const std::size_t line_break = text.find_first_of("\f\n\r");
  const std::string kept = bounded(text.substr(0, line_break));
  row_.cells.push_back({{}, colour});
  for (const char c : kept) {
    if ((c == '\t' || c == '\v') && !terminal_width_ && row_.cells.size() < limits::kCells) {
      row_.cells.push_back({{}, colour});
    } else if (c == '\x1b') {
      row_.cells.back().text += "^[";
    } else {
      row_.cells.back().text += c;
    }
  }
  if (line_break != std::string_view::npos) row_.cells.back().text += "...";
  if (terminal_width_) row_.cells.back().text = visible_line(row_.cells.back().text);
}

void TableText::add_row(const std::vector<std::string>& cells) {
  for (const std::string& cell : cells) add_cell(cell);
  end_row();
}

void TableText::end_header() {
  if (terminal_width_) header_ = row_;
  fit_ = {};
  end_row();
}

/// Computes the widths column by column. Consecutive rows with a cell to the right of a column form
/// a block, and all rows of a block use one width, as in Go's text/tabwriter, which kubectl uses.
/// Like kubectl, keeps the widths from one block to the next.
void TableText::lay_out() {
  std::vector<std::size_t> reaching(rows_.size());
  std::iota(reaching.begin(), reaching.end(), std::size_t{0});
  std::size_t row_width = 0;
  for (std::size_t column = 0; !reaching.empty() && row_width < limits::kRowWidth; ++column) {
    std::erase_if(reaching, [&](std::size_t row) { return rows_[row].cells.size() <= column + 1; });
    if (remembered_.size() <= column && !reaching.empty()) remembered_.push_back(kMinWidth);
    for (auto block = reaching.begin(); block != reaching.end();) {
      auto end = block;
      std::size_t& width = remembered_[column];
      do {
        const std::size_t cell = code_points(rows_[*end].cells[column].text);
        if (cell <= limits::kColumnWidth) width = std::max(width, cell + kPadding);
        ++end;
      } while (end != reaching.end() && *end == *(end - 1) + 1);
      for (; block != end; ++block) rows_[*block].widths.push_back(width);
    }
    if (column < remembered_.size()) row_width += remembered_[column];
  }
}

std::string TableText::flush_lines() {
  lay_out();
  std::string lines;
  for (const Row& row : rows_) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      append_coloured(lines, row.cells[i].text, row.cells[i].colour);
      if (i + 1 == row.cells.size()) break;
      const std::size_t used = code_points(row.cells[i].text) + kPadding;
      const std::size_t width = i < row.widths.size() ? std::max(row.widths[i], used) : used;
      lines.append(width - used + kPadding, ' ');
    }
    lines += '\n';
  }
  return lines;
}

/// Returns the layout of the rows for a terminal of `width` cells. Adds the header to the rows
/// again if the printed rows look different.
ColumnFit TableText::fit_rows(std::size_t width) {
  std::size_t columns = 0;
  for (const Row& row : rows_) columns = std::max(columns, row.cells.size());
  columns = std::max(columns, needed_.size());
  for (const Row& row : rows_) {
    // If a row has fewer cells than columns, its last cell may extend into the columns after it.
    const std::size_t count = row.cells.size() - (row.cells.size() < columns ? 1 : 0);
    for (std::size_t i = 0; i < count; ++i) {
      set_at_least(needed_, i, display_width(row.cells[i].text), 0);
    }
  }
  ColumnFit fit = fit_columns(needed_, reserved_, roles_, width);
  const bool is_first = fit_.widths.empty();
  const bool is_other = !looks_alike(fit, fit_);
  if (is_first || is_other) log_left_out(fit, width);
  if (!is_first && is_other && !header_.cells.empty()) rows_.insert(rows_.begin(), header_);
  fit_ = fit;
  return fit;
}

/// Logs which columns the layout does not show.
void TableText::log_left_out(const ColumnFit& fit, std::size_t width) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < fit.widths.size(); ++i) {
    if (fit.widths[i] > 0) continue;
    names.push_back(i < header_.cells.size() ? header_.cells[i].text : "a column");
  }
  if (names.empty()) return;
  log::notice("not shown in {} columns: {} (--no-truncate shows all)", width,
              fmt::join(names, ", "));
}

std::string TableText::flush_fitting(std::size_t width) {
  const ColumnFit fit = fit_rows(width == 0 ? limits::kRowWidth : width);
  std::string lines;
  for (const Row& row : rows_) append_fitted_row(lines, row.cells, fit, width);
  return lines;
}

std::string TableText::flush() {
  const std::size_t width = terminal_width_ ? terminal_width_() : 0;
  std::string lines = terminal_width_ ? flush_fitting(width) : flush_lines();
  rows_.clear();
  return lines;
}

void append_separated_row(std::string& out, const std::vector<std::string>& cells,
                          Separator separator) {
  bool first = true;
  for (const std::string& cell : cells) {
    if (!first) out += static_cast<char>(separator);
    first = false;
    if (separator == Separator::comma) {
      append_quoted(out, cell);
    } else {
      append_escaped(out, cell);
    }
  }
  out += '\n';
}

}  // namespace kinf
