// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/table_printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kinf/base/ascii.h"

namespace kinf {
namespace {

std::string labels_text(const PrintedRow& row) {
  if (row.labels.empty()) return "<none>";
  // kubectl sorts the complete text `key=value`, so that `app.x=` is before `app=`.
  std::vector<std::string> pairs;
  for (const auto& [key, value] : row.labels) pairs.push_back(key + "=" + value);
  std::sort(pairs.begin(), pairs.end());
  return fmt::format("{}", fmt::join(pairs, ","));
}

/// Returns the role of a column on a narrow terminal. What people look for is never left out.
ColumnRole role_of(const TableColumn& column) {
  constexpr std::array<std::string_view, 4> kWanted = {"Status", "State", "Object", "Message"};
  if (column.format == kFixedFormat) return ColumnRole::fixed;
  const bool is_wanted =
      column.format == "name" || std::ranges::find(kWanted, column.name) != kWanted.end();
  return is_wanted ? ColumnRole::wanted : ColumnRole::spare;
}

std::string label_value(const PrintedRow& row, std::string_view key) {
  const auto found = std::find_if(row.labels.begin(), row.labels.end(),
                                  [&](const auto& label) { return label.first == key; });
  return found == row.labels.end() ? std::string() : found->second;
}

}  // namespace

std::string TablePrinter::print(const std::vector<TableColumn>* columns,
                                const std::vector<PrintedRow>& rows) {
  if (columns != nullptr && !columns->empty() && *columns != columns_) {
    columns_ = *columns;
    printed_headers_ = false;
    std::vector<ColumnRole> roles;
    for (const TableColumn& column : columns_) {
      if (shows(column)) roles.push_back(role_of(column));
    }
    text_.set_roles(std::move(roles));
  }
  if (rows.empty()) return {};
  if (options_.headers && !printed_headers_) print_headers();
  printed_headers_ = true;
  for (const PrintedRow& row : rows) print_row(row);
  return separator_ ? std::exchange(separated_, {}) : text_.flush();
}

void TablePrinter::add_cell(std::string cell, Colour colour) {
  if (separator_) {
    row_.push_back(std::move(cell));
  } else {
    text_.add_cell(cell, colour);
  }
}

void TablePrinter::end_row(bool is_header) {
  if (!separator_) return is_header ? text_.end_header() : text_.end_row();
  append_separated_row(separated_, row_, *separator_);
  row_.clear();
}

void TablePrinter::print_headers() {
  for (const TableColumn& column : columns_) {
    if (shows(column)) add_cell(to_upper(column.name));
  }
  for (const std::string& key : options_.label_columns) {
    add_cell(to_upper(key.substr(key.rfind('/') + 1)));
  }
  if (options_.show_labels) add_cell("LABELS");
  end_row(true);
}

void TablePrinter::print_row(const PrintedRow& row) {
  const std::size_t count =
      row.is_note ? row.cells.size() : std::min(row.cells.size(), columns_.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (i < columns_.size() && !shows(columns_[i])) continue;
    add_cell(row.cells[i], i < row.colours.size() ? row.colours[i] : Colour::none);
  }
  if (row.is_note) return end_row();
  for (const std::string& key : options_.label_columns) add_cell(label_value(row, key));
  if (options_.show_labels) add_cell(labels_text(row));
  if (!row.changed.empty()) add_cell(row.changed, options_.colour ? Colour::grey : Colour::none);
  end_row();
}

}  // namespace kinf
