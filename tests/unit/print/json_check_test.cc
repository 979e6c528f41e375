// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/json_check.h"

#include <doctest/doctest.h>

#include <string>

#include "unit/print/sample_objects.h"

namespace kinf {
namespace {

using test::as;
using test::kPods;
using test::listed;
using test::web_with;

TEST_CASE("what a reader of JSON would refuse is found") {
  JsonCheck check;
  for (const char* good :
       {"{}", R"({"a":[1,-0.5e3,"\u00e9\n",null,true]})", "{\"a\":\"\x7f\u009b\"}"}) {
    CAPTURE(good);
    CHECK(check.check(good).has_value());
  }
  for (const char* bad :
       {"", "{", R"({"a":007})", R"({"a":0x10})", R"({"a":[1})", R"({"a":1,})", R"({"a" 1})",
        R"({"a":"\x"})", "{\"a\":\"\n\"}", "{\"a\":\"\xff\"}", R"({"a":tru})", R"({"a":1}{})"}) {
    CAPTURE(bad);
    CHECK_FALSE(check.check(bad).has_value());
  }
  CHECK_FALSE(check.check(std::string(5000, '[') + std::string(5000, ']')).has_value());
}

TEST_CASE("an event with a damaged document is logged and counted, not printed") {
  PrintOptions with_columns = as(OutputFormat::custom_columns);
  with_columns.headers = false;
  with_columns.columns = CustomColumns::parse("NAME:.metadata.name").value();
  for (const PrintOptions& options :
       {as(OutputFormat::json), as(OutputFormat::yaml), with_columns}) {
    const auto printer = make_event_printer(options);
    std::string out;
    printer->print(kPods, listed(web_with(R"({"spec":007})")), Clock::Wall(test::kNow), out);
    printer->flush(out);
    CHECK(out.empty());
    CHECK(printer->unprinted() == 1);
    printer->print(kPods, listed(web_with("{}")), Clock::Wall(test::kNow), out);
    printer->flush(out);
    CHECK_FALSE(out.empty());
    CHECK(printer->unprinted() == 1);
  }
}

}  // namespace
}  // namespace kinf
