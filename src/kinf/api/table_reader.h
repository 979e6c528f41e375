// SPDX-License-Identifier: Apache-2.0
// The parts of a server-side Table: its column definitions, and rows of cells and object. For the
// list and watch decoders, which find the texts; nothing here knows lists or events.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "kinf/api/table_columns.h"
#include "kinf/base/error.h"

namespace kinf {

/// Views into the text that was read.
struct TableRow {
  std::string_view cells;   ///< the text of a JSON array; empty if there was none
  std::string_view object;  ///< the text of a JSON object; empty if there was none
};

/// What a watch event of kind Table holds beside its metadata.
struct TableParts {
  std::string_view columns;  ///< text of the column definitions; empty if absent or null
  std::vector<TableRow> rows;
};

/// Threads: one owner. All texts need Object::kPadding readable bytes behind them.
class TableReader {
 public:
  TableReader();
  ~TableReader();
  TableReader(const TableReader&) = delete;
  TableReader& operator=(const TableReader&) = delete;

  Result<TableRow> row(std::string_view json);
  Result<TableParts> table(std::string_view json);
  /// The definitions in `json`, an array; `known` itself if they equal what it holds.
  Result<std::shared_ptr<const TableColumns>> columns(
      std::string_view json, const std::shared_ptr<const TableColumns>& known);

 private:
  struct Parser;  // keeps simdjson out of the header
  std::unique_ptr<Parser> parser_;
};

}  // namespace kinf
