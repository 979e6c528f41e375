// SPDX-License-Identifier: Apache-2.0
// TableText: cells in, aligned lines out, laid out as kubectl does it. Knows nothing of what the
// cells mean; TablePrinter decides which cells there are.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kinf {

/// A column is as wide as its widest cell and three blanks, at least six, and never gets narrower
/// again: rows that come later line up with those already out. A tab inside a cell ends the cell.
/// Widths count code points. Threads: one owner.
class TableText {
 public:
  /// Keeps room for cells of `width` in `column` (from 0), so that the column need not jump when
  /// a long one comes.
  void reserve(std::size_t column, std::size_t width);

  /// Puts a cell at the end of the current row; a control sequence cannot get through (ESC is
  /// shown as `^[`), and whatever follows a line break becomes `...`.
  void add_cell(std::string_view text);
  void end_row();

  /// The rows since the last call, as lines; the last cell of a row is not padded.
  std::string flush();

 private:
  struct Row {
    std::vector<std::string> cells;
    std::vector<std::size_t> widths;  ///< of all cells but the last, which needs none
  };

  void lay_out();

  std::vector<Row> rows_;
  Row row_;
  std::vector<std::size_t> remembered_;  ///< per column, padding included; only grows
};

}  // namespace kinf
