// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/table_text.h"

#include <doctest/doctest.h>
#include <malloc.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kinf/base/log.h"

using kinf::ColumnRole;
using kinf::TableText;

namespace {

std::string line(TableText& table, std::initializer_list<const char*> cells) {
  for (const char* cell : cells) table.add_cell(cell);
  table.end_row();
  return table.flush();
}

#ifdef __GLIBC__  // other C libraries have no mallinfo2
/// Returns the memory that 100 rows with such a cell need until they are printed.
std::size_t memory_of_rows(const std::string& cell) {
  const auto allocated = [] {
    const struct mallinfo2 now = mallinfo2();  // all 0 with the allocators of sanitizers
    return now.uordblks + now.hblkhd;
  };
  TableText table;
  const std::size_t before = allocated();
  for (int i = 0; i < 100; ++i) {
    table.add_cell(cell);
    table.add_cell("b");
    table.end_row();
  }
  const std::size_t after = allocated();
  CHECK(table.flush().size() < 10'000'000);
  return after - std::min(before, after);
}
#endif

}  // namespace

#ifdef __GLIBC__
TEST_CASE("A8: rows that wait for their layout need little memory, however large their cells are") {
  CHECK(memory_of_rows(std::string(1'000'000, 'x')) < 10'000'000);
  CHECK(memory_of_rows(std::string(1'000'000, '\t')) < 40'000'000);
}
#endif

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

TEST_CASE("V7: on a terminal rows fit its width, which may change, and no cell is cut") {
  std::size_t width = 80;
  TableText table([&] { return width; });
  table.reserve(1, 17);
  CHECK(line(table, {"robusta-forwarder-5f65fd6fbb-s2trs", "Running", "3d"}) ==
        "robusta-forwarder-5f65fd6fbb-s2trs   Running             3d\n");
  width = 40;
  CHECK(line(table, {"robusta-forwarder-5f65fd6fbb-s2trs", "Running", "3d"}) ==
        "robusta-forwarder-5f65fd6fbb-s2trs\n"
        "                            Running  3d\n");
  CHECK(line(table, {"web", "Running", "3d"}) == "web                         Running  3d\n");
  // A row with fewer cells ends with text that may reach into the other columns.
  CHECK(line(table, {"web", "a text that is longer than the column"}) ==
        "web\n    a text that is longer than the\n    column\n");
  width = 0;  // unknown
  CHECK(line(table, {"a-pod-with-a-name-that-is-longer-than-the-others", "Running", "3d"}) ==
        "a-pod-with-a-name-that-is-longer-than-the-others   Running             3d\n");
}

TEST_CASE("V7: the last cell wraps below itself") {
  TableText table([] { return 60; });
  CHECK(
      line(table, {"Warning", "BackOff", "Back-off restarting failed container web in pod web"}) ==
      "Warning   BackOff   Back-off restarting failed container web\n"
      "                    in pod web\n");
  CHECK(line(table, {"Normal", "Pulled", ""}) == "Normal    Pulled\n");
}

TEST_CASE("V7: on a terminal a name is whole, even if it is wider than the terminal") {
  TableText table([] { return 20; });
  table.set_roles({ColumnRole::fixed, ColumnRole::wanted});
  const std::string name(25, 'n');
  CHECK(line(table, {"10:14:02.118", name.c_str()}) == "10:14:02.118\n" + name + "\n");
  CHECK(line(table, {"10:14:02.118", "web-1-with-16-ch"}) ==
        "10:14:02.118\n    web-1-with-16-ch\n");
}

TEST_CASE("V7: columns that are left out are named") {
  std::vector<std::string> lines;
  kinf::log::set_sink([&](std::string_view text) { lines.emplace_back(text); });
  TableText table([] { return 13; });
  table.set_roles({ColumnRole::wanted, ColumnRole::spare, ColumnRole::spare});
  for (const char* name : {"NAME", "IP", "NODE"}) table.add_cell(name);
  table.end_header();
  CHECK(line(table, {"web", "10.0.0.1", "n1"}) == "NAME IP\nweb  10.0.0.1\n");
  CHECK(line(table, {"web", "10.0.0.1", "n1"}) == "web  10.0.0.1\n");
  kinf::log::set_sink({});
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].find("not shown in 13 columns: NODE (--no-truncate") != std::string::npos);
}

TEST_CASE("on a terminal the header is repeated when the layout changes") {
  std::size_t width = 80;
  TableText table([&] { return width; });
  table.set_roles({ColumnRole::wanted, ColumnRole::wanted, ColumnRole::spare});
  table.add_cell("NAME");
  table.add_cell("STATUS");
  table.add_cell("AGE");
  table.end_header();
  CHECK(line(table, {"web", "Running", "3d"}) == "NAME   STATUS    AGE\nweb    Running   3d\n");
  CHECK(line(table, {"api", "Running", "3d"}) == "api    Running   3d\n");
  width = 12;
  CHECK(line(table, {"api", "Running", "3d"}) == "NAME STATUS\napi  Running\n");
  CHECK(line(table, {"api", "Running", "3d"}) == "api  Running\n");
}

TEST_CASE("on a terminal a cell is printable and counts by its cells") {
  TableText table([] { return 80; });
  CHECK(line(table, {"日本", "a\tb\a", "\u202e"}) == "日本   a\\tb\\u0007   \\u202e\n");
  CHECK(line(table, {"abcd", "x", "y"}) == "abcd   x            y\n");
}

TEST_CASE("a huge cell is cut, and does not widen the rows around it") {
  TableText table;
  const std::string huge(1'000'000, 'x');
  for (int i = 0; i < 500; ++i) {
    table.add_cell(i == 250 ? huge : "a");
    table.add_cell("b");
    table.end_row();
  }
  const std::string text = table.flush();
  CHECK(text.size() < 16'000);
  CHECK(text.find("x…   b\n") != std::string::npos);
}

TEST_CASE("rows with very many wide columns stay near the size of their cells") {
  TableText table;
  for (int row = 0; row < 100; ++row) {
    for (int column = 0; column < 200; ++column) {
      table.add_cell(row == column % 100 ? std::string(900, 'x') : "a");
    }
    table.end_row();
  }
  CHECK(table.flush().size() < 2'000'000);
}

namespace kinf {
namespace {

using Widths = std::vector<std::size_t>;

TEST_CASE("columns that fit keep their reserved widths and the gap of kubectl") {
  const ColumnFit fit = fit_columns({7, 5, 1}, {7, 10}, {}, 80);
  CHECK(fit.widths == Widths{7, 10, 3});
  CHECK(fit.gap == 3);
}

using enum ColumnRole;

TEST_CASE("the gap shrinks first, then reservations from the right") {
  CHECK(fit_columns({10, 10}, {10, 10}, {}, 22).gap == 2);
  const ColumnFit fit = fit_columns({5, 8, 5}, {5, 17, 10}, {}, 30);
  CHECK(fit.gap == 2);
  CHECK(fit.widths == Widths{5, 16, 5});
}

TEST_CASE("the last column is narrowed first, then as few others as possible") {
  CHECK(fit_columns({7, 20, 60}, {}, {}, 71).widths == Widths{7, 20, 38});
  CHECK(fit_columns({7, 40, 25, 3}, {}, {}, 61).widths == Widths{7, 20, 25, 3});
  CHECK(fit_columns({29, 40, 25, 3}, {}, {fixed}, 80).widths == Widths{29, 17, 25, 3});
}

TEST_CASE("a last column that is wanted goes below its rows before others are narrowed") {
  CHECK(fit_columns({9, 7, 16, 36, 90}, {}, {}, 80).widths == Widths{9, 7, 16, 36, 4});
  CHECK(fit_columns({9, 7, 16, 36, 90}, {}, {wanted, wanted, wanted, wanted, spare}, 80).widths ==
        Widths{9, 7, 16, 12, 28});
}

TEST_CASE("a gap of one keeps cells that would need a line") {
  const ColumnFit fit = fit_columns({12, 7, 9, 20, 5, 8, 8, 3}, {12, 7, 0, 0, 5, 17, 10}, {}, 80);
  CHECK(fit.gap == 1);
  CHECK(fit.widths == Widths{12, 7, 9, 20, 5, 8, 8, 3});
}

TEST_CASE("spare columns are left out from the right when nothing else helps") {
  const std::vector<ColumnRole> roles = {wanted, spare, spare, wanted};
  CHECK(fit_columns({12, 12, 12}, {}, roles, 30).widths == Widths{12, 12, 0});
  CHECK(fit_columns({12, 12, 12, 12}, {}, roles, 40).widths == Widths{12, 12, 0, 12});
  CHECK(fit_columns({12, 12, 12}, {}, {}, 30).widths == Widths{12, 12, 4});
  CHECK(fit_columns({40, 40}, {}, {spare, spare}, 10).widths == Widths{0, 0});
  CHECK(fit_columns({}, {}, {}, 10).widths.empty());
}

TEST_CASE("no layout is wider than the terminal if columns may be left out") {
  const std::vector<ColumnRole> roles(20, spare);
  for (std::size_t width = 1; width < 100; ++width) {
    for (const Widths& needed : {Widths{7, 36, 5, 17, 10, 4}, Widths{3}, Widths{60, 60, 60},
                                 Widths{2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}}) {
      CHECK(fit_columns(needed, {7, 0, 5}, roles, width).total() <= width);
    }
  }
}

TEST_CASE("a cell with a comma, a quote or a line end is quoted in CSV") {
  std::string out;
  append_separated_row(out,
                       {"plain", "a,b", "say \"x\"", "two\nlines", "cr\r", "", " blank ", "a\tb"},
                       Separator::comma);
  CHECK(out == "plain,\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",\"cr\r\",, blank ,a\tb\n");
  out.clear();
  append_separated_row(out, {}, Separator::comma);
  CHECK(out == "\n");
}

TEST_CASE("tabs, line ends and backslashes in cells are escaped in TSV") {
  std::string out;
  append_separated_row(out, {"a,b", "say \"x\"", "t\tn\nr\r\\", ""}, Separator::tab);
  CHECK(out == "a,b\tsay \"x\"\tt\\tn\\nr\\r\\\\\t\n");
}

}  // namespace
}  // namespace kinf
