// SPDX-License-Identifier: Apache-2.0
// The component `table_text`: Tables printed one after another through one printer.
#include "conformance/runner.h"
#include "kinf/columns/table_printer.h"

namespace kinf::conformance {
namespace {

TablePrinterOptions options_from(Fields& config) {
  TablePrinterOptions options;
  options.headers = !config.flag("no_headers");
  options.wide = config.flag("wide");
  options.with_namespace = config.flag("with_namespace");
  options.with_kind = config.flag("with_kind");
  options.group = config.text("group");
  options.kind = config.text("kind");
  options.show_labels = config.flag("show_labels");
  const Json& keys = config.at("column_labels");
  if (!keys.is_null()) options.label_columns = keys.get<std::vector<std::string>>();
  return options;
}

std::vector<TableColumn> columns_from(const Json& json) {
  std::vector<TableColumn> columns;
  for (const Json& entry : json) {
    Fields fields(&entry, "column");
    columns.push_back({fields.text("name"), fields.text("type"), fields.text("format"), "",
                       static_cast<int>(fields.integer("priority"))});
    fields.expect_all_read();
  }
  return columns;
}

std::vector<PrintedRow> rows_from(const Json& json) {
  std::vector<PrintedRow> rows;
  for (const Json& entry : json) {
    Fields fields(&entry, "row");
    PrintedRow row;
    for (const Json& cell : fields.at("cells")) row.cells.push_back(cell_text(cell));
    row.ns = fields.text("namespace");
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
    Json texts = Json::array();
    for (const Json& entry : input.at("tables")) {
      Fields table(&entry, "table");
      const std::vector<TableColumn> columns = columns_from(table.at("columns"));
      std::optional<std::string> event;
      if (table.has("event")) event = table.text("event");
      texts.push_back(printer.print(&columns, rows_from(table.at("rows")), event));
      table.expect_all_read();
    }
    return {{"texts", texts}};
  }
};

const Registration kRegistration("table_text", [] { return std::make_unique<TableTextRunner>(); });

}  // namespace
}  // namespace kinf::conformance
