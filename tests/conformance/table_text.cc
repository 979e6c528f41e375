// SPDX-License-Identifier: Apache-2.0
// The component `table_text`: Tables printed one after another through one printer.
#include <fmt/format.h>

#include <optional>

#include "conformance/runner.h"
#include "kinf/base/ascii.h"
#include "kinf/print/table_printer.h"

namespace kinf::conformance {
namespace {

/// What kubectl's printer options ask for and kinf's tables show as columns and cells of their own.
struct Extras {
  bool with_namespace = false;
  std::string name_prefix;           ///< `deployment.apps/`
  std::optional<std::string> event;  ///< the cell of a first column EVENT
};

PrintOptions options_from(Fields& config) {
  PrintOptions options;
  options.headers = !config.flag("no_headers");
  if (config.flag("wide")) options.format = OutputFormat::wide;
  options.show_labels = config.flag("show_labels");
  const Json& keys = config.at("column_labels");
  if (!keys.is_null()) options.label_columns = keys.get<std::vector<std::string>>();
  return options;
}

Extras extras_from(Fields& config) {
  Extras extras;
  extras.with_namespace = config.flag("with_namespace");
  const bool with_kind = config.flag("with_kind");
  const std::string group = config.text("group");
  const std::string kind = config.text("kind");
  if (with_kind && !kind.empty()) {
    extras.name_prefix = to_lower(kind) + (group.empty() ? "" : "." + group) + "/";
  }
  return extras;
}

std::vector<TableColumn> columns_from(const Json& json, const Extras& extras) {
  std::vector<TableColumn> columns;
  if (extras.event) columns.push_back({"Event", "string", "", "", 0});
  if (extras.with_namespace) columns.push_back({"Namespace", "string", "", "", 0});
  for (const Json& entry : json) {
    Fields fields(&entry, "column");
    columns.push_back({fields.text("name"), fields.text("type"), fields.text("format"), "",
                       static_cast<int>(fields.integer("priority"))});
    fields.expect_all_read();
  }
  return columns;
}

std::string cell_text(const Json& cell) {
  if (cell.is_null()) return {};
  return cell.is_string() ? cell.get<std::string>() : cell.dump();
}

std::vector<PrintedRow> rows_from(const Json& json, const std::vector<TableColumn>& columns,
                                  const Extras& extras) {
  std::vector<PrintedRow> rows;
  for (const Json& entry : json) {
    Fields fields(&entry, "row");
    PrintedRow row;
    const std::string ns = fields.text("namespace");
    if (extras.event) row.cells.push_back(fmt::format("{:<8}", *extras.event));
    if (extras.with_namespace) row.cells.push_back(ns);
    for (const Json& cell : fields.at("cells")) {
      const std::size_t at = row.cells.size();
      const bool is_name = at < columns.size() && columns[at].format == "name";
      row.cells.push_back((is_name ? extras.name_prefix : "") + cell_text(cell));
    }
    for (const auto& label : fields.at("labels").items()) {
      row.labels.emplace_back(label.key(), label.value().get<std::string>());
    }
    fields.expect_all_read();
    rows.push_back(std::move(row));
  }
  return rows;
}

class TableTextRunner final : public TableRunner {
  Json evaluate(Fields& input, Fields& config, const Json&) override {
    TablePrinter printer(options_from(config));
    Extras extras = extras_from(config);
    Json texts = Json::array();
    Json definitions;  // used until a table has its own
    for (const Json& entry : input.at("tables")) {
      Fields table(&entry, "table");
      extras.event.reset();
      if (table.has("event")) extras.event = table.text("event");
      if (const Json& given = table.at("columns"); !given.is_null()) definitions = given;
      const std::vector<TableColumn> columns = columns_from(definitions, extras);
      texts.push_back(printer.print(&columns, rows_from(table.at("rows"), columns, extras)));
      table.expect_all_read();
    }
    return {{"texts", texts}};
  }
};

const Registration kTableText("table_text", [] { return std::make_unique<TableTextRunner>(); });

}  // namespace
}  // namespace kinf::conformance
