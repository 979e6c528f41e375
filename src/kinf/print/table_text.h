// SPDX-License-Identifier: Apache-2.0
// TableText: aligns cells in columns, as kubectl does. It knows nothing about what the cells mean:
// TablePrinter decides which cells there are.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kinf {

/// A column is as wide as its widest cell plus three spaces, and at least six. It never gets
/// narrower, so that later rows line up with those already printed. A tab inside a cell ends the
/// cell. Widths count code points. Threads: one owner.
class TableText {
 public:
  /// Makes `column` (from 0) wide enough for cells of `width`, so that it does not move when a long
  /// cell comes.
  void reserve(std::size_t column, std::size_t width);

  /// Adds a cell to the current row. ESC is shown as `^[`, so that no control sequence reaches the
  /// terminal; text after a line break becomes `...`.
  void add_cell(std::string_view text);
  void end_row();

  /// Returns the rows since the last call as lines. The last cell of a row is not padded.
  std::string flush();

 private:
  struct Row {
    std::vector<std::string> cells;
    std::vector<std::size_t> widths;  ///< of all cells except the last
  };

  void lay_out();

  std::vector<Row> rows_;
  Row row_;
  std::vector<std::size_t> remembered_;  ///< per column, including the padding; only grows
};

}  // namespace kinf
