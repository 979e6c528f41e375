// SPDX-License-Identifier: Apache-2.0
// TablePrinter: prints rows of a server-side Table as kubectl does. It decides which columns are
// shown, and when headers are. One printer serves a whole stream, so that columns stay where they
// are.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kinf/api/table_columns.h"
#include "kinf/print/table_text.h"

namespace kinf {

struct TablePrinterOptions {
  bool headers = true;
  bool wide = false;
  bool show_labels = false;
  std::vector<std::string> label_columns;  ///< label keys
};

/// One row. Cells without a column are not shown.
struct PrintedRow {
  std::vector<std::string> cells;
  std::vector<std::pair<std::string, std::string>> labels;
};

/// Threads: one owner.
class TablePrinter {
 public:
  explicit TablePrinter(TablePrinterOptions options) : options_(std::move(options)) {}

  /// Returns the text of the rows. `columns` may be null if they are those of the last call.
  /// Headers come before the first row, and again when the columns change.
  std::string print(const std::vector<TableColumn>* columns, const std::vector<PrintedRow>& rows);

  /// To reserve widths.
  TableText& text() { return text_; }

 private:
  void print_headers();
  void print_row(const PrintedRow& row);
  bool shows(const TableColumn& column) const { return options_.wide || column.priority == 0; }

  TablePrinterOptions options_;
  TableText text_;
  std::vector<TableColumn> columns_;
  bool printed_headers_ = false;
};

}  // namespace kinf
