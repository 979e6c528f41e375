// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/csv_text.h"

#include <doctest/doctest.h>

#include "unit/print/sample_objects.h"

namespace kinf {
namespace {

TEST_CASE("objects print as CSV with the cells of their table") {
  const PrintedObjects objects{&test::kPods, {test::make_pod("web-1", "1/1", "Running", "0")}};
  PrintOptions options;
  options.with_namespace = true;
  CHECK(objects_csv({objects}, options, Clock::Wall(test::kNow)) ==
        "NAMESPACE,NAME,READY,STATUS,RESTARTS,AGE\ndefault,web-1,1/1,Running,0,24h\n");
}

TEST_CASE("a cell with a comma, a quote or a line end is quoted") {
  std::string out;
  append_csv_row(out, {"plain", "a,b", "say \"x\"", "two\nlines", "cr\r", "", " blank "});
  CHECK(out == "plain,\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",\"cr\r\",, blank \n");
  out.clear();
  append_csv_row(out, {});
  CHECK(out == "\n");
}

TEST_CASE("CSV has no wide columns, and the header is optional") {
  const PrintedObjects objects{&test::kPods, {test::make_pod("web-1", "1/1", "Running", "0")}};
  PrintOptions options;
  options.headers = false;
  CHECK(objects_csv({objects}, options, Clock::Wall(test::kNow)) == "web-1,1/1,Running,0,24h\n");
}

TEST_CASE("a CSV header is printed again when the columns change") {
  test::Sample bare;
  bare.name = "web-2";
  const PrintedObjects objects{
      &test::kPods,
      {test::make_pod("web-1", "1/1", "Running", "0"), test::make_pod("web-3", "1/1", "Done", "0"),
       test::make_object(bare)}};
  CHECK(objects_csv({objects}, {}, Clock::Wall(test::kNow)) ==
        "NAME,READY,STATUS,RESTARTS,AGE\nweb-1,1/1,Running,0,24h\nweb-3,1/1,Done,0,24h\n"
        "NAME,AGE\nweb-2,24h\n");
}

}  // namespace
}  // namespace kinf
