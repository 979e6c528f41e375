// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/table_text.h"

#include <algorithm>
#include <numeric>

#include "kinf/base/display_width.h"
#include "kinf/base/limits.h"
#include "kinf/base/unicode.h"

namespace kinf {
namespace {

constexpr std::size_t kSmallGap = 2;
constexpr std::size_t kSmallestGap = 1;
/// The width of a column without text, as in kubectl's tables.
constexpr std::size_t kLeastWidth = 3;
/// Columns are not narrowed below this width.
constexpr std::size_t kReadableWidth = 12;

/// Returns by how many cells a row is wider than `width`; 0 if it fits.
std::size_t excess(const ColumnFit& fit, std::size_t width) {
  const std::size_t total = fit.total();
  return total > width ? total - width : 0;
}

void give_up_reservations(ColumnFit& fit, const std::vector<std::size_t>& needed,
                          std::size_t width) {
  std::size_t over = excess(fit, width);
  for (std::size_t i = fit.widths.size(); i-- > 0;) {
    const std::size_t spare = fit.widths[i] - std::max(needed[i], kLeastWidth);
    fit.widths[i] -= std::min(spare, over);
    over -= std::min(spare, over);
  }
}

void narrow_widest(ColumnFit& fit, std::size_t width) {
  for (std::size_t& column : fit.widths) column = std::min(column, width);
  for (std::size_t over = excess(fit, width); over > 0; --over) {
    // Of columns of the same width, narrow the last one.
    const auto widest = std::max_element(fit.widths.rbegin(), fit.widths.rend());
    if (*widest <= kReadableWidth) return;
    --*widest;
  }
}

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

std::size_t ColumnFit::total() const {
  return std::accumulate(widths.begin(), widths.end(), std::size_t{0}) +
         (widths.empty() ? 0 : gap * (widths.size() - 1));
}

ColumnFit fit_columns(const std::vector<std::size_t>& needed,
                      const std::vector<std::size_t>& reserved, std::size_t width) {
  ColumnFit fit;
  if (needed.empty()) return fit;
  for (std::size_t i = 0; i < needed.size(); ++i) {
    const std::size_t least = std::max(needed[i], kLeastWidth);
    fit.widths.push_back(i < reserved.size() ? std::max(least, reserved[i]) : least);
  }
  if (excess(fit, width) == 0) return fit;
  fit.gap = kSmallGap;
  give_up_reservations(fit, needed, width);
  narrow_widest(fit, width);
  if (excess(fit, width) > 0) fit.gap = kSmallestGap;
  while (fit.widths.size() > 1 && excess(fit, width) > 0) fit.widths.pop_back();
  return fit;
}

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
/// again if the gap or the number of columns differs from the printed rows.
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
  ColumnFit fit = fit_columns(needed_, reserved_, width);
  const bool is_first = fit_.widths.empty();
  const bool is_other = fit.gap != fit_.gap || fit.widths.size() != fit_.widths.size();
  if (!is_first && is_other && !header_.cells.empty()) rows_.insert(rows_.begin(), header_);
  fit_ = fit;
  return fit;
}

std::string TableText::flush_fitting(std::size_t width) {
  const ColumnFit fit = fit_rows(width);
  std::string lines;
  for (const Row& row : rows_) {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < std::min(row.cells.size(), fit.widths.size()); ++i) {
      const Cell& cell = row.cells[i];
      const bool is_last = i + 1 == row.cells.size();
      const std::string text = is_last ? shortened(cell.text, width - begin)
                                       : shortened_in_the_middle(cell.text, fit.widths[i]);
      append_coloured(lines, text, cell.colour);
      if (is_last || i + 1 == fit.widths.size()) break;
      lines.append(fit.widths[i] - display_width(text) + fit.gap, ' ');
      begin += fit.widths[i] + fit.gap;
    }
    lines += '\n';
  }
  return lines;
}

std::string TableText::flush() {
  const std::size_t width = terminal_width_ ? terminal_width_() : 0;
  std::string lines =
      terminal_width_ ? flush_fitting(width == 0 ? limits::kRowWidth : width) : flush_lines();
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
