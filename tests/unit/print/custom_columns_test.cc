// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/custom_columns.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace kinf {
namespace {

using Cells = std::vector<std::string>;
using Json = nlohmann::json;

Cells cells(const char* spec, const Json& object, const Json* old = nullptr) {
  return CustomColumns::parse(spec).value().cells({&object, old, "Updated", "10:14:02.118"});
}

std::string message_of(const Result<CustomColumns>& columns) {
  return columns ? "" : columns.error().message;
}

TEST_CASE("custom columns show the values of their paths") {
  const Json object = {{"metadata", {{"name", "a"}}},
                       {"spec", {{"ports", {1, 2}}, {"map", {{"x", "y"}}}, {"none", nullptr}}}};
  CHECK(cells("N:.metadata.name,P:{.spec.ports[*]},M:spec.map,NO:.status.x,NIL:.spec.none",
              object) == Cells{"a", "1,2", "map[x:y]", "<none>", "<nil>"});
  for (const char* spec :
       {"N:.metadata.name", "N:metadata.name", "N:{.metadata.name}", "N:{metadata.name}"}) {
    CAPTURE(spec);
    CHECK(cells(spec, object) == Cells{"a"});
  }
}

TEST_CASE("a comma in brackets or quotes does not end a column") {
  const Json object = {{"a", {{{"t", "x,y"}, {"v", 1}}, {{"t", "z"}, {"v", 2}}}}};
  CHECK(cells("A:.a[0,1].v,B:.a[?(@.t==\"x,y\")].v", object) == Cells{"1,2", "1"});
}

TEST_CASE("EVENT, TIME and OLD show the event and the state before it") {
  const Json object = {{"phase", "Running"}, {"OLD", "field"}};
  const Json old = {{"phase", "Pending"}};
  const char* spec = "E:EVENT,T:TIME,WAS:OLD.phase,IS:.phase,FIELD:.OLD,ALL:OLD";
  CHECK(cells(spec, object, &old) ==
        Cells{"Updated", "10:14:02.118", "Pending", "Running", "field", "map[phase:Pending]"});
  CHECK(cells("WAS:OLD.phase", object) == Cells{"<none>"});
  CHECK(CustomColumns::parse(spec)->shows_events());
  CHECK_FALSE(CustomColumns::parse("A:.EVENT,B:.OLD.x")->shows_events());
}

TEST_CASE("a file of custom columns has a line of headers and a line of paths") {
  const auto columns = CustomColumns::parse_lines("NAME   KIND\n.metadata.name  .kind\n");
  REQUIRE(columns.has_value());
  CHECK(columns->headers() == Cells{"NAME", "KIND"});
  const Json object = {{"kind", "Pod"}};
  CHECK(columns->cells({&object, nullptr, "", ""}) == Cells{"<none>", "Pod"});
  CHECK(message_of(CustomColumns::parse_lines("")).starts_with("invalid template, missing header"));
  CHECK(
      message_of(CustomColumns::parse_lines("A\n")).starts_with("invalid template, missing spec"));
  CHECK(message_of(CustomColumns::parse_lines("A B\n.a\n")) ==
        "number of headers (2) and field specifications (1) don't match");
}

TEST_CASE("invalid custom columns are rejected with kubectl's messages") {
  CHECK(message_of(CustomColumns::parse("")) ==
        "custom-columns format specified but no custom columns given");
  CHECK(message_of(CustomColumns::parse("A:.b,C")) ==
        "unexpected custom-columns spec: C, expected <header>:<json-path-expr>");
  CHECK(message_of(CustomColumns::parse("NAME:")).starts_with("unexpected path string"));
  CHECK(CustomColumns::parse("A:.b[").error().kind == ErrorKind::usage);
}

}  // namespace
}  // namespace kinf
