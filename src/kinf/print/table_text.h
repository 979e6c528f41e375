// SPDX-License-Identifier: Apache-2.0
// Rows of cells as text: aligned in columns as kubectl does (TableText), or separated by commas or
// tabs. TablePrinter decides which cells to print.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinf/base/visible_text.h"

namespace kinf {

/// The layout of a row of a table that fits a terminal: the width of each column that is shown, and
/// the spaces between columns.
struct ColumnFit {
  std::vector<std::size_t> widths;
  std::size_t gap = 3;

  /// Returns the width of the row.
  std::size_t total() const;
};

/// Fits columns whose widest cells have the widths `needed` into `width` cells. Takes the first
/// that fits: the widths in `reserved`, a gap of two, reservations given up from the right, the
/// widest columns narrowed, a gap of one, columns left out from the right. Shows at least one
/// column. `reserved` may be shorter than `needed`. All widths are in cells.
ColumnFit fit_columns(const std::vector<std::size_t>& needed,
                      const std::vector<std::size_t>& reserved, std::size_t width);

/// Returns the current width of the terminal in cells; 0 if it is unknown. Empty if the output is
/// not a terminal.
using TerminalWidth = std::function<std::size_t()>;

/// A column is as wide as its widest cell plus three spaces, but at least six characters. It never
/// gets narrower, so that later rows are aligned with the printed ones. Widths are in code points,
/// and a tab inside a cell ends the cell, as in kubectl.
///
/// On a terminal, widths are in cells, cells are made printable, and rows fit: see fit_columns().
/// A long cell is cut in the middle, the last one of a row at its end. Every flush() reads the
/// width of the terminal again. It repeats the header when rows get a narrower or wider gap, or
/// other columns.
///
/// However large the cells are, the text stays near the size of its cells: cuts a cell after 10,000
/// code points, and does not align columns to the right of a cell of more than 1,000 or beyond
/// column 8,000.
/// Threads: one thread at a time.
class TableText {
 public:
  explicit TableText(TerminalWidth terminal_width = {})
      : terminal_width_(std::move(terminal_width)) {}

  /// Makes `column` (counted from 0) wide enough for cells of `width` code points, so that a later
  /// long cell does not move the columns.
  void reserve(std::size_t column, std::size_t width);

  /// Adds a cell to the current row. Prints ESC as `^[`, so that no control sequence reaches the
  /// terminal, and replaces text after a line break with `...`.
  void add_cell(std::string_view text, Colour colour = Colour::none);
  void end_row() { rows_.push_back(std::exchange(row_, Row())); }
  /// Adds a row of these cells.
  void add_row(const std::vector<std::string>& cells);
  /// Ends a row that names the columns.
  void end_header();

  /// Returns the rows added since the last call as lines. Does not pad the last cell of a row.
  std::string flush();

 private:
  struct Cell {
    std::string text;
    Colour colour = Colour::none;
  };
  struct Row {
    std::vector<Cell> cells;
    std::vector<std::size_t> widths;  ///< widths of all cells except the last
  };

  void lay_out();
  std::string flush_lines();
  std::string flush_fitting(std::size_t width);
  ColumnFit fit_rows(std::size_t width);

  TerminalWidth terminal_width_;
  std::vector<Row> rows_;
  Row row_;
  /// Widths per column, including the padding; they only grow. Not used on a terminal.
  std::vector<std::size_t> remembered_;
  /// On a terminal: the width of the widest cell of each column, and the reserved width.
  std::vector<std::size_t> needed_;
  std::vector<std::size_t> reserved_;
  Row header_;
  ColumnFit fit_;  ///< of the rows since the last header
};

enum class Separator : char {
  comma = ',',  ///< RFC 4180, but with line feeds only; quotes a cell only if necessary
  tab = '\t',   ///< writes tabs, line ends and backslashes in cells as `\t`, `\n`, `\r` and `\\`
};

/// Appends one line.
void append_separated_row(std::string& out, const std::vector<std::string>& cells,
                          Separator separator);

}  // namespace kinf
