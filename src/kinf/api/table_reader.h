// SPDX-License-Identifier: Apache-2.0
// TableReader: finds the parts of a server-side Table in one document: its column definitions, and
// its rows of cells and objects. Used by the list and watch decoders.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "kinf/api/table_columns.h"
#include "kinf/base/error.h"

namespace kinf {

/// One row.
struct TableRow {
  std::string_view cells;   ///< the text of a JSON array; empty if there was none
  std::string_view object;  ///< the text of a JSON object; empty if there was none
};

/// The parts of a Table in a watch event.
struct TableParts {
  std::string_view columns;  ///< text of the column definitions; empty if absent or null
  std::vector<TableRow> rows;
};

/// Threads: one owner.
class TableReader {
 public:
  TableReader();
  ~TableReader();
  TableReader(const TableReader&) = delete;
  TableReader& operator=(const TableReader&) = delete;

  /// Reads a whole Table. The result points into a copy of `json`, valid until the next call.
  /// Errors: protocol.
  Result<TableParts> table(std::string_view json);
  /// Reads an array of column definitions. Returns `known` if they are the same. Errors: protocol.
  Result<std::shared_ptr<const TableColumns>> columns(
      std::string_view json, const std::shared_ptr<const TableColumns>& known);

 private:
  struct Parser;  // keeps simdjson out of the header
  std::unique_ptr<Parser> parser_;
};

}  // namespace kinf
