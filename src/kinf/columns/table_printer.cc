// SPDX-License-Identifier: Apache-2.0
#include "kinf/columns/table_printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

namespace kinf {
namespace {

std::string map_text(std::string_view text, int (*convert)(int)) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(convert(static_cast<unsigned char>(c)));
  return result;
}

/// The header of a label column: the key without its prefix.
std::string label_header(std::string_view key) {
  return map_text(key.substr(key.rfind('/') + 1), std::toupper);
}

std::string labels_text(const PrintedRow& row) {
  if (row.labels.empty()) return "<none>";
  // Sorted as kubectl sorts them, by the whole of `key=value`: `app.x=` stands before `app=`.
  std::vector<std::string> pairs;
  for (const auto& [key, value] : row.labels) pairs.push_back(key + "=" + value);
  std::sort(pairs.begin(), pairs.end());
  return fmt::format("{}", fmt::join(pairs, ","));
}

std::string label_value(const PrintedRow& row, std::string_view key) {
  const auto found = std::find_if(row.labels.begin(), row.labels.end(),
                                  [&](const auto& label) { return label.first == key; });
  return found == row.labels.end() ? std::string() : found->second;
}

/// Event types are padded to the longest of them, so that the column keeps its width.
std::string event_text(std::string_view event) {
  std::string text(event);
  constexpr std::size_t kLongest = std::string_view("MODIFIED").size();
  if (text.size() < kLongest) text.append(kLongest - text.size(), ' ');
  return text;
}

}  // namespace

std::string TablePrinter::print(const std::vector<TableColumn>* columns,
                                const std::vector<PrintedRow>& rows,
                                std::optional<std::string_view> event) {
  if (columns != nullptr && !columns->empty() && *columns != columns_) {
    columns_ = *columns;
    printed_headers_ = false;
  }
  if (rows.empty()) return {};
  if (options_.headers && !printed_headers_) print_headers(event.has_value());
  printed_headers_ = true;
  for (const PrintedRow& row : rows) print_row(row, event);
  return text_.flush();
}

void TablePrinter::print_headers(bool with_event) {
  if (with_event) text_.add_cell("EVENT");
  if (options_.with_namespace) text_.add_cell("NAMESPACE");
  for (const TableColumn& column : columns_) {
    if (shows(column)) text_.add_cell(map_text(column.name, std::toupper));
  }
  for (const std::string& key : options_.label_columns) text_.add_cell(label_header(key));
  if (options_.show_labels) text_.add_cell("LABELS");
  text_.end_row();
}

void TablePrinter::print_row(const PrintedRow& row, std::optional<std::string_view> event) {
  if (event) text_.add_cell(event_text(*event));
  if (options_.with_namespace) text_.add_cell(row.ns);
  const std::size_t count = std::min(row.cells.size(), columns_.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (!shows(columns_[i])) continue;
    std::string cell = row.cells[i];
    if (options_.with_kind && !options_.kind.empty() && columns_[i].format == "name") {
      std::string prefix = map_text(options_.kind, std::tolower);
      if (!options_.group.empty()) prefix += "." + options_.group;
      cell = prefix + "/" + cell;
    }
    text_.add_cell(cell);
  }
  for (const std::string& key : options_.label_columns) text_.add_cell(label_value(row, key));
  if (options_.show_labels) text_.add_cell(labels_text(row));
  text_.end_row();
}

std::string cell_text(const nlohmann::json& cell) {
  if (cell.is_null()) return {};
  if (cell.is_string()) return cell.get<std::string>();
  return cell.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace kinf
