// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/csv_text.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

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
