// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/table_convertor.h"

#include "kinf/base/ascii.h"
#include "kinf/columns/aged_cells.h"
#include "kinf/columns/columns.h"
#include "kinf/columns/fields.h"
#include "kinf/query/jsonpath.h"

namespace kinf::sandbox {
namespace {

bool has_own_columns(const ApiType& type) { return !type.printer_columns.empty(); }

/// Returns the cell of a custom column, or null if the object has no value.
Json custom_cell(const PrinterColumn& column, const nlohmann::json& object, Clock::Wall now) {
  const auto path = JsonPath::parse("{" + column.json_path + "}");
  if (!path) return nullptr;
  const auto found = path->print(object);
  if (!found || found->empty()) return nullptr;
  if (column.type == "integer") {
    if (const auto number = parse_number<std::int64_t>(*found)) return *number;
  }
  if (column.type == "boolean" && (*found == "true" || *found == "false")) {
    return *found == "true";
  }
  if (column.type == "date") return columns::since(*found, now);
  return *found;
}

/// Returns the recorded cells in the order of the columns of the type. Looks for their names,
/// because the columns may have changed during the recording.
Json recorded_cells(const ApiType& type, const StoredObject& object, const nlohmann::json& document,
                    Clock::Wall now) {
  const Json sent = parse_json(object.cells).value_or(Json());
  Json result = Json::array();
  for (const TableColumn& column : type.recorded_columns->columns) {
    Json cell;
    for (std::size_t i = 0; i < elements(sent).size() && i < object.columns->columns.size(); ++i) {
      if (object.columns->columns[i].name == column.name) cell = sent[i];
    }
    if (const auto aged = aged_cell(document, column, now)) cell = *aged;
    result.push_back(std::move(cell));
  }
  return result;
}

Json definition(const TableColumn& column) {
  return {{"name", column.name},
          {"type", column.type},
          {"format", column.format},
          {"description", column.description},
          {"priority", column.priority}};
}

}  // namespace

Json column_definitions(const ApiType& type) {
  const TableColumns& known = type.recorded_columns != nullptr
                                  ? *type.recorded_columns
                                  : table_columns(type.api_version(), type.kind);
  Json result = Json::array();
  if (!has_own_columns(type)) {
    for (const TableColumn& column : known.columns) result.push_back(definition(column));
    return result;
  }
  result.push_back(definition(known.columns.front()));
  for (const PrinterColumn& column : type.printer_columns) {
    const std::string description =
        column.description.empty()
            ? "Custom resource definition column (in JSONPath format): " + column.json_path
            : column.description;
    // Dates are sent as ages, which are strings.
    const std::string as = column.type == "date" ? "string" : column.type;
    result.push_back(definition({column.name, as, column.format, description, column.priority}));
  }
  return result;
}

Json table_row(const ApiType& type, const StoredObject& object, Clock::Wall now) {
  const nlohmann::json document = object.json;
  Json row = Json::object();
  if (!has_own_columns(type)) {
    const bool is_recorded = type.recorded_columns != nullptr && object.columns != nullptr;
    row["cells"] = is_recorded ? recorded_cells(type, object, document, now)
                               : Json(table_cells(document, now));
    const nlohmann::json conditions = row_conditions(document);
    if (!conditions.empty()) row["conditions"] = conditions;
    return row;
  }
  row["cells"] = Json::array({text(field(object.json, "metadata", "name"))});
  for (const PrinterColumn& column : type.printer_columns) {
    row["cells"].push_back(custom_cell(column, document, now));
  }
  return row;
}

}  // namespace kinf::sandbox
