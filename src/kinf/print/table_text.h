// SPDX-License-Identifier: Apache-2.0
// TableText: aligns cells in columns, as kubectl does. TablePrinter decides which cells to print.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kinf {

/// A column is as wide as its widest cell plus three spaces, but at least six characters. It never
/// gets narrower, so that later rows are aligned with the printed ones. A tab inside a cell ends
/// the cell. Widths are in code points. Threads: one thread at a time.
class TableText {
 public:
  /// Makes `column` (counted from 0) wide enough for cells of `width` code points, so that a later
  /// long cell does not move the columns.
  void reserve(std::size_t column, std::size_t width);

  /// Adds a cell to the current row. Prints ESC as `^[`, so that no control sequence reaches the
  /// terminal, and replaces text after a line break with `...`.
  void add_cell(std::string_view text);
  void end_row();

  /// Returns the rows added since the last call as lines. Does not pad the last cell of a row.
  std::string flush();

 private:
  struct Row {
    std::vector<std::string> cells;
    std::vector<std::size_t> widths;  ///< widths of all cells except the last
  };

  void lay_out();

  std::vector<Row> rows_;
  Row row_;
  /// Widths per column, including the padding; they only grow.
  std::vector<std::size_t> remembered_;
};

}  // namespace kinf
