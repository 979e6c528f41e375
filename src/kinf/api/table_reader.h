// SPDX-License-Identifier: Apache-2.0
// TableReader: finds the column definitions and the rows of a server-side Table. Used by the list
// and watch decoders.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/base/error.h"

namespace kinf {

struct TableRow {
  std::string_view cells;   ///< the text of a JSON array; empty if there is none
  std::string_view object;  ///< the text of a JSON object; empty if there is none
};

/// The parts of a Table in a watch event.
struct TableParts {
  std::string_view columns;  ///< the text of the column definitions; empty if missing or null
  std::vector<TableRow> rows;
};

/// Threads: one owner.
class TableReader {
 public:
  TableReader();
  ~TableReader();
  TableReader(const TableReader&) = delete;
  TableReader& operator=(const TableReader&) = delete;

  /// Reads a Table. The result contains views of a copy of `json`, which are valid until the next
  /// call. Errors: protocol.
  Result<TableParts> table(std::string_view json);
  /// Parses an array of column definitions. Returns `known` if the definitions are the same.
  /// Errors: protocol.
  Result<std::shared_ptr<const TableColumns>> columns(
      std::string_view json, const std::shared_ptr<const TableColumns>& known);

 private:
  struct Parser;  // keeps simdjson out of the header
  std::unique_ptr<Parser> parser_;
};

}  // namespace kinf
