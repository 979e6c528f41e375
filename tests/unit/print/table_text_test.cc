// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/table_text.h"

#include <doctest/doctest.h>
#include <malloc.h>

#include <algorithm>
#include <string>

using kinf::TableText;

namespace {

std::string line(TableText& table, std::initializer_list<const char*> cells) {
  for (const char* cell : cells) table.add_cell(cell);
  table.end_row();
  return table.flush();
}

#ifdef __GLIBC__  // other C libraries have no mallinfo2
/// Returns the memory that 500 rows with such a cell need until they are printed.
std::size_t memory_of_rows(const std::string& cell) {
  const auto allocated = [] {
    const struct mallinfo2 now = mallinfo2();  // all 0 with the allocators of sanitizers
    return now.uordblks + now.hblkhd;
  };
  TableText table;
  const std::size_t before = allocated();
  for (int i = 0; i < 500; ++i) {
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

TEST_CASE("on a terminal rows fit its width, which may change") {
  std::size_t width = 80;
  TableText table([&] { return width; });
  table.reserve(1, 17);
  CHECK(line(table, {"robusta-forwarder-5f65fd6fbb-s2trs", "Running", "3d"}) ==
        "robusta-forwarder-5f65fd6fbb-s2trs   Running             3d\n");
  width = 40;
  CHECK(line(table, {"robusta-forwarder-5f65fd6fbb-s2trs", "Running", "3d"}) ==
        "robusta-forwa…fd6fbb-s2trs  Running  3d\n");
  // A row with fewer cells ends with text that may reach into the other columns.
  CHECK(line(table, {"web", "a text that is longer than the column"}) ==
        "web                         a text that…\n");
}

TEST_CASE("on a terminal the header is repeated when the layout changes") {
  std::size_t width = 80;
  TableText table([&] { return width; });
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
  const ColumnFit fit = fit_columns({7, 5, 1}, {7, 10}, 80);
  CHECK(fit.widths == Widths{7, 10, 3});
  CHECK(fit.gap == 3);
}

TEST_CASE("the gap shrinks first, then reservations from the right") {
  CHECK(fit_columns({10, 10}, {10, 10}, 22).gap == 2);
  const ColumnFit fit = fit_columns({5, 8, 5}, {5, 17, 10}, 30);
  CHECK(fit.gap == 2);
  CHECK(fit.widths == Widths{5, 16, 5});
}

TEST_CASE("the widest columns are narrowed, but not below what can be read") {
  CHECK(fit_columns({7, 40, 30}, {}, 51).widths == Widths{7, 20, 20});
  CHECK(fit_columns({7, 40, 5}, {}, 36).widths == Widths{7, 20, 5});
}

TEST_CASE("a gap of one keeps a column that would be left out") {
  const ColumnFit fit = fit_columns({12, 7, 9, 20, 5, 17, 8, 3}, {12, 7, 0, 0, 5, 17, 10}, 80);
  CHECK(fit.gap == 1);
  CHECK(fit.widths == Widths{12, 7, 9, 12, 5, 12, 8, 3});
}

TEST_CASE("columns are left out from the right when nothing else helps") {
  CHECK(fit_columns({12, 12, 12}, {}, 30).widths == Widths{12, 12});
  CHECK(fit_columns({40, 40}, {}, 10).widths == Widths{10});
  CHECK(fit_columns({}, {}, 10).widths.empty());
}

TEST_CASE("no row is wider than the terminal") {
  for (std::size_t width = 1; width < 100; ++width) {
    for (const Widths& needed : {Widths{7, 36, 5, 17, 10, 4}, Widths{3}, Widths{60, 60, 60},
                                 Widths{2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}}) {
      const ColumnFit fit = fit_columns(needed, {7, 0, 5}, width);
      std::size_t total = fit.gap * (fit.widths.size() - 1);
      for (const std::size_t column : fit.widths) total += column;
      CHECK(total <= width);
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
