// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/csv_text.h"

#include "kinf/base/ascii.h"
#include "kinf/print/object_row.h"

namespace kinf {
namespace {

/// Returns the header: CLUSTER and NAMESPACE if they are wanted, then the columns that are shown
/// without `-o wide`.
std::vector<std::string> header_of(const TableColumns& columns, const PrintOptions& options) {
  std::vector<std::string> header;
  if (options.with_cluster) header.emplace_back("CLUSTER");
  if (options.with_namespace) header.emplace_back("NAMESPACE");
  for (const TableColumn& column : columns.columns) {
    if (column.priority > 0) continue;
    header.push_back(to_upper(column.name));
  }
  return header;
}

}  // namespace

void append_csv_row(std::string& out, const std::vector<std::string>& cells) {
  bool first = true;
  for (const std::string& cell : cells) {
    if (!first) out += ',';
    first = false;
    if (cell.find_first_of(",\"\r\n") == std::string::npos) {
      out += cell;
      continue;
    }
    out += '"';
    for (const char c : cell) {
      if (c == '"') out += '"';
      out += c;
    }
    out += '"';
  }
  out += '\n';
}

std::string objects_csv(const std::vector<PrintedObjects>& objects, const PrintOptions& options,
                        Clock::Wall now) {
  std::string out;
  const TableColumns* described = nullptr;
  for (const PrintedObjects& of_cluster : objects) {
    for (const ObjectPtr& object : of_cluster.objects) {
      const TableColumns& columns = row_columns(*object);
      if (options.headers && (described == nullptr || !(*described == columns))) {
        append_csv_row(out, header_of(columns, options));
      }
      described = &columns;
      std::vector<std::string> cells;
      if (options.with_cluster) cells.push_back(of_cluster.cluster);
      if (options.with_namespace) cells.emplace_back(object->ns());
      const std::vector<std::string> all = row_cells(*object, now);
      for (std::size_t i = 0; i < all.size() && i < columns.columns.size(); ++i) {
        if (columns.columns[i].priority == 0) cells.push_back(all[i]);
      }
      append_csv_row(out, cells);
    }
  }
  return out;
}

}  // namespace kinf
