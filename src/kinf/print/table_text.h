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

/// What happens to a column on a terminal that is too narrow for all columns.
enum class ColumnRole {
  wanted,  ///< is shown, but may be narrowed
  fixed,   ///< is shown, and not narrowed
  spare,   ///< may be narrowed, and left out if nothing else helps
};

/// The layout of a table that fits a terminal: the width of each column, 0 if it is left out, and
/// the number of spaces between columns.
struct ColumnFit {
  std::vector<std::size_t> widths;
  std::size_t gap = 3;

  /// Returns the width of the row.
  std::size_t total() const;
};

/// Fits columns into a line of `width`. `needed` contains the width of each column's longest cell.
/// `reserved` contains the minimum widths that the columns should have, and `roles` their roles.
/// Both may have fewer elements than `needed`; the role is then `wanted`. If the columns do not
/// fit, takes these steps until they do: gives a last column that is wanted only 30 cells, because
/// its cells wrap; gives up reserved widths from the right, with two spaces between columns, then
/// one; narrows the widest columns to 12 cells; leaves out spare columns from the right. If only
/// wanted columns are left and do not fit, the layout is wider than `width`. All widths are in
/// cells of the terminal.
ColumnFit fit_columns(const std::vector<std::size_t>& needed,
                      const std::vector<std::size_t>& reserved,
                      const std::vector<ColumnRole>& roles, std::size_t width);

struct TableCell {
  std::string text;
  Colour colour = Colour::none;
};

/// Appends a row in the layout `fit` for a terminal of `width` cells; 0 means that the width is
/// unknown. No cell is cut. After a cell that is wider than its column, the row continues on the
/// next line. The last cell wraps below itself, or goes below the row if it has little room. A text
/// that cannot be wrapped, such as a name, moves to the left, or goes beyond the edge.
void append_fitted_row(std::string& out, const std::vector<TableCell>& cells, const ColumnFit& fit,
                       std::size_t width);

/// Returns the current width of the terminal in cells, or 0 if the width is unknown. The function
/// is empty if the output is not a terminal.
using TerminalWidth = std::function<std::size_t()>;

/// Aligns cells in columns. A column is as wide as its longest cell plus three spaces, but at least
/// six characters. It never gets narrower, so that later rows are aligned with the printed ones.
/// Widths are in code points, and a tab inside a cell ends the cell, as in kubectl.
///
/// On a terminal, widths are in cells of the terminal, characters that are not printable are
/// escaped, and rows fit the width: see fit_columns() and append_fitted_row(). Logs which columns
/// are left out. Every flush() reads the width of the terminal again, and repeats the header if the
/// gap or the shown columns have changed.
///
/// The padding is limited, so that the text is not much larger than its cells: a cell is cut after
/// 10,000 code points, a column is not widened for a cell of more than 1,000, and columns more than
/// 8,000 characters to the right are not aligned.
/// Threads: one thread at a time.
class TableText {
 public:
  explicit TableText(TerminalWidth terminal_width = {})
      : terminal_width_(std::move(terminal_width)) {}

  /// Makes `column` (counted from 0) wide enough for cells of `width` code points, so that a later
  /// long cell does not move the columns.
  void reserve(std::size_t column, std::size_t width);
  /// Sets the roles of the columns. A column without a role is wanted.
  void set_roles(std::vector<ColumnRole> roles) { roles_ = std::move(roles); }

  /// Adds a cell to the current row. Prints ESC as `^[`, so that no control sequence reaches the
  /// terminal, and replaces text after a line break with `...`.
  void add_cell(std::string_view text, Colour colour = Colour::none);
  void end_row() { rows_.push_back(std::exchange(row_, Row())); }
  /// Adds a row of these cells.
  void add_row(const std::vector<std::string>& cells);
  /// Ends the current row, which has the names of the columns.
  void end_header();

  /// Returns the rows added since the last call, one line each. The last cell of a row is not
  /// padded.
  std::string flush();

 private:
  struct Row {
    std::vector<TableCell> cells;
    std::vector<std::size_t> widths;  ///< widths of all cells except the last
  };

  void lay_out();
  std::string flush_lines();
  std::string flush_fitting(std::size_t width);
  ColumnFit fit_rows(std::size_t width);
  void log_left_out(const ColumnFit& fit, std::size_t width) const;

  TerminalWidth terminal_width_;
  std::vector<Row> rows_;
  Row row_;
  /// Widths per column, including the padding; they only grow. Not used on a terminal.
  std::vector<std::size_t> remembered_;
  /// On a terminal: per column, the width of its longest cell, and its reserved width.
  std::vector<std::size_t> needed_;
  std::vector<std::size_t> reserved_;
  std::vector<ColumnRole> roles_;
  Row header_;
  ColumnFit fit_;  ///< the layout of the rows since the last header
};

enum class Separator : char {
  comma = ',',  ///< RFC 4180, but with line feeds only; quotes a cell only if necessary
  tab = '\t',   ///< writes tabs, line ends and backslashes in cells as `\t`, `\n`, `\r` and `\\`
};

/// Appends a row as one line.
void append_separated_row(std::string& out, const std::vector<std::string>& cells,
                          Separator separator);

}  // namespace kinf
