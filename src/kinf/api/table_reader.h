// SPDX-License-Identifier: Apache-2.0
// The parts of a server-side Table that comes as one document: its column definitions, and rows of
// cells and object. For the list and watch decoders, which find the texts.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "kinf/api/table_columns.h"
#include "kinf/base/error.h"

namespace kinf {

struct TableRow {
  std::string_view cells;   ///< the text of a JSON array; empty if there was none
  std::string_view object;  ///< the text of a JSON object; empty if there was none
};

/// What a watch event of kind Table holds beside its metadata.
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

  /// What it returns points into a copy of `json`, valid until the next call of this.
  Result<TableParts> table(std::string_view json);
  /// The definitions in `json`, an array; `known` itself if they equal what it holds.
  Result<std::shared_ptr<const TableColumns>> columns(
      std::string_view json, const std::shared_ptr<const TableColumns>& known);

 private:
  struct Parser;  // keeps simdjson out of the header
  std::unique_ptr<Parser> parser_;
};

}  // namespace kinf
