// SPDX-License-Identifier: Apache-2.0
// TableColumns: the column definitions of a server-side Table (meta.k8s.io/v1), shared by all
// objects whose cells have these columns.
#pragma once

#include <string>
#include <vector>

namespace kinf {

struct TableColumn {
  std::string name;
  std::string type;    ///< `string`, `integer`, `number`, `boolean`, `date`
  std::string format;  ///< `name` marks the column that holds the object's name
  std::string description;
  int priority = 0;  ///< above 0: shown only in wide output

  friend bool operator==(const TableColumn&, const TableColumn&) = default;
};

struct TableColumns {
  std::vector<TableColumn> columns;

  friend bool operator==(const TableColumns&, const TableColumns&) = default;
};

}  // namespace kinf
