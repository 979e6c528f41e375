// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/table_printer.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

const std::vector<TableColumn> kColumns = {{"Name", "string", "name", "", 0},
                                           {"Up-to-date", "integer", "", "", 0},
                                           {"Node", "string", "", "", 1}};

PrintedRow row(std::vector<std::string> cells,
               std::vector<std::pair<std::string, std::string>> labels = {}) {
  return {std::move(cells), std::move(labels)};
}

TEST_CASE("headers are printed once, before the first row") {
  TablePrinter printer{PrintOptions()};
  CHECK(printer.print(&kColumns, {}).empty());
  CHECK(printer.print(nullptr, {row({"web", "1", "n1"})}) == "NAME   UP-TO-DATE\nweb    1\n");
  CHECK(printer.print(&kColumns, {row({"api", "2", "n1"})}) == "api    2\n");
}

TEST_CASE("headers are printed again when the columns change") {
  TablePrinter printer{PrintOptions()};
  printer.print(&kColumns, {row({"web", "1", "n1"})});
  const std::vector<TableColumn> others = {{"Name", "string", "name", "", 0}};
  CHECK(printer.print(&others, {row({"web"})}) == "NAME\nweb\n");
}

TEST_CASE("wide columns are optional, and so are headers") {
  PrintOptions options;
  options.format = OutputFormat::wide;
  CHECK(TablePrinter(options).print(&kColumns, {row({"web", "1", "n1"})}) ==
        "NAME   UP-TO-DATE   NODE\nweb    1            n1\n");
  options.headers = false;
  CHECK(TablePrinter(options).print(&kColumns, {row({"web", "1", "n1"})}) == "web   1     n1\n");
}

TEST_CASE("a row may have fewer or more cells than there are columns") {
  PrintOptions options;
  options.headers = false;
  options.format = OutputFormat::wide;
  CHECK(TablePrinter(options).print(&kColumns, {row({"web"})}) == "web\n");
  CHECK(TablePrinter(options).print(&kColumns, {row({"a", "b", "c", "d"})}) == "a     b     c\n");
}

TEST_CASE("labels have columns of their own, or one text sorted as in kubectl") {
  PrintOptions options;
  options.label_columns = {"example.com/tier", "app"};
  options.show_labels = true;
  TablePrinter printer(options);
  const std::vector<TableColumn> name = {{"Name", "string", "name", "", 0}};
  CHECK(
      printer.print(&name, {row({"web"}, {{"app", "w"}, {"app.x", "1"}, {"example.com/tier", "f"}}),
                            row({"api"})}) ==
      "NAME   TIER   APP   LABELS\n"
      "web    f      w     app.x=1,app=w,example.com/tier=f\n"
      "api                 <none>\n");
}

TEST_CASE("a reserved width applies from the first row") {
  TablePrinter printer{PrintOptions()};
  printer.text().reserve(0, 10);
  CHECK(printer.print(&kColumns, {row({"web", "1", ""})}) ==
        "NAME         UP-TO-DATE\nweb          1\n");
}

}  // namespace
}  // namespace kinf
