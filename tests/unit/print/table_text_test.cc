// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/table_text.h"

#include <doctest/doctest.h>

using kinf::TableText;

namespace {

std::string line(TableText& table, std::initializer_list<const char*> cells) {
  for (const char* cell : cells) table.add_cell(cell);
  table.end_row();
  return table.flush();
}

}  // namespace

TEST_CASE("a column stays as wide as its widest cell so far") {
  TableText table;
  CHECK(line(table, {"quite-a-long-name", "1/1"}) == "quite-a-long-name   1/1\n");
  CHECK(line(table, {"a", "1/1"}) == "a                   1/1\n");
}

TEST_CASE("reserved widths keep columns where they are") {
  TableText table;
  table.reserve(0, 7);
  CHECK(line(table, {"EVENT", "NAME"}) == "EVENT     NAME\n");
  CHECK(line(table, {"Updated", "web"}) == "Updated   web\n");
}

TEST_CASE("a cell cannot break the line or send control sequences to the terminal") {
  TableText table;
  CHECK(line(table, {"a\nb", "\x1b[31mred"}) == "a...   ^[[31mred\n");
}

TEST_CASE("width counts characters, not bytes") {
  TableText table;
  table.add_cell("äöü");
  table.add_cell("x");
  table.end_row();
  table.add_cell("abcd");
  table.add_cell("y");
  table.end_row();
  CHECK(table.flush() == "äöü    x\nabcd   y\n");
}
