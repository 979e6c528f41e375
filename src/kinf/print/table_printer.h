// SPDX-License-Identifier: Apache-2.0
// TablePrinter: rows of a server-side Table in, kubectl's text out: which columns, which headers
// and when. One printer serves a whole stream, so that columns stay where they are.
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

struct PrintedRow {
  std::vector<std::string> cells;
  std::vector<std::pair<std::string, std::string>> labels;
};

/// Threads: one owner.
class TablePrinter {
 public:
  explicit TablePrinter(TablePrinterOptions options) : options_(std::move(options)) {}

  /// The text of these rows. Without `columns` those of the call before hold. Headers come before
  /// the first row, and again when columns change.
  std::string print(const std::vector<TableColumn>* columns, const std::vector<PrintedRow>& rows);

  /// For reserving widths.
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
