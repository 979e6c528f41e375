// SPDX-License-Identifier: Apache-2.0
// TablePrinter: prints rows of a server-side Table as kubectl does. Decides which columns and
// headers to print. Use one printer for all rows of a stream, so that the columns stay aligned.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/print/event_printer.h"

namespace kinf {

/// The format of a column that is never narrowed on a terminal, such as TIME.
inline constexpr std::string_view kFixedFormat = "fixed";

/// One row. Cells without a column are not printed.
struct PrintedRow {
  std::vector<std::string> cells;
  std::vector<std::pair<std::string, std::string>> labels;
  std::vector<Colour> colours = {};  ///< the colours of the first cells; the others have none
  std::string changed = {};          ///< printed behind the last column, without a header
  /// If true, prints all cells, the last of which may extend into the columns to its right.
  bool is_note = false;
};

/// Threads: one thread at a time.
class TablePrinter {
 public:
  explicit TablePrinter(const PrintOptions& options)
      : options_(options),
        separator_(separator_of(options.format)),
        text_(options.terminal_width) {}

  /// Returns the text of the rows. If `columns` is null, uses the columns of the last call. Prints
  /// headers before the first row and when the columns change.
  std::string print(const std::vector<TableColumn>* columns, const std::vector<PrintedRow>& rows);

  /// Prints the headers again before the next row.
  void repeat_headers() { printed_headers_ = false; }
  /// Gives access to TableText::reserve().
  TableText& text() { return text_; }

 private:
  void print_headers();
  void print_row(const PrintedRow& row);
  void add_cell(std::string cell, Colour colour = Colour::none);
  void end_row(bool is_header = false);
  bool shows(const TableColumn& column) const {
    return options_.format == OutputFormat::wide || column.priority == 0;
  }

  const PrintOptions options_;
  const std::optional<Separator> separator_;  ///< nullopt if the cells are aligned in columns
  TableText text_;
  std::vector<std::string> row_;  ///< csv and tsv: the cells of the current row
  std::string separated_;         ///< csv and tsv: rows that print() has not returned yet
  std::vector<TableColumn> columns_;
  bool printed_headers_ = false;
};

}  // namespace kinf
