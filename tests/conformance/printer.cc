// SPDX-License-Identifier: Apache-2.0
// The component `printer`: the cells of an object's row, and the columns they belong to.
#include "conformance/runner.h"
#include "kinf/api/object.h"
#include "kinf/columns/columns.h"
#include "kinf/columns/fields.h"

namespace kinf::conformance {
namespace {

Json columns_as_json(const TableColumns& columns) {
  Json result = Json::array();
  for (const TableColumn& column : columns.columns) {
    result.push_back({{"name", column.name},
                      {"type", column.type},
                      {"format", column.format},
                      {"priority", column.priority}});
  }
  return result;
}

class PrinterRunner final : public TableRunner {
  void open(Fields& document) override {
    Fields config(&document.at("config"), "config");
    columns_ = config.at("columns");
  }

  Json evaluate(Fields& input, Fields&, const Json&) override {
    const Json& object = input.at("object");
    const std::string kind = object.at("kind").get<std::string>();
    const TableColumns& columns = table_columns(object.at("apiVersion").get<std::string>(), kind);
    if (columns_as_json(columns) != columns_.at(kind)) {
      throw BadVector("the columns of " + kind + " differ: " + columns_as_json(columns).dump());
    }
    const auto now = columns::time(input.at("now"));
    Json result = {{"cells", table_cells(object, now.value())}};
    const Json conditions = row_conditions(object);
    if (!conditions.empty()) result["row_condition"] = conditions.at(0);
    return result;
  }

  Json columns_;
};

const Registration kPrinter("printer", [] { return std::make_unique<PrinterRunner>(); });

}  // namespace
}  // namespace kinf::conformance
