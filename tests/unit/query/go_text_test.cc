// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/go_text.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace kinf {
namespace {

using Json = nlohmann::json;

TEST_CASE("numbers and strings are written as in Go") {
  const auto json = nlohmann::json::parse(
      R"([1e21,1e-7,1.5,18446744073709551615,"<a>&\u2028\n",null,{"b":1,"a":[]}])");
  CHECK(
      go_json(json) ==
      R"([1e+21,1e-7,1.5,18446744073709552000,"\u003ca\u003e\u0026\u2028\n",null,{"a":[],"b":1}])");
  CHECK(go_text(json) ==
        "[1e+21 1e-07 1.5 1.8446744073709552e+19 <a>&\u2028\n <nil> map[a:[] b:1]]");
}

TEST_CASE("a float has the digits that Go's %v and encoding/json write") {
  struct Case {
    double value;
    const char* text;
    const char* json;
  };
  const Case cases[] = {{0.0, "0", "0"},
                        {-0.5, "-0.5", "-0.5"},
                        {100000.5, "100000.5", "100000.5"},
                        {1000000.5, "1.0000005e+06", "1000000.5"},
                        {0.0001, "0.0001", "0.0001"},
                        {0.00001, "1e-05", "0.00001"},
                        {1e-6, "1e-06", "0.000001"},
                        {1.5e-9, "1.5e-09", "1.5e-9"},
                        {1e20, "1e+20", "100000000000000000000"},
                        {1e21, "1e+21", "1e+21"}};
  for (const Case& one : cases) {
    CAPTURE(one.text);
    CHECK(go_text(Json(one.value)) == one.text);
    CHECK(go_json(Json(one.value)) == one.json);
  }
}

TEST_CASE("other values are written as by Go's %v") {
  CHECK(go_text("a b") == "a b");
  CHECK(go_text(true) == "true");
  CHECK(go_text(nullptr) == "<nil>");
  CHECK(go_text(-7) == "-7");
  CHECK(go_text(Json::array()) == "[]");
  CHECK(go_text(Json::object()) == "map[]");
}

TEST_CASE("indented JSON has four spaces per level") {
  CHECK(go_json(Json::parse(R"({"b":[1,{}],"a":[]})"), true) ==
        "{\n    \"a\": [],\n    \"b\": [\n        1,\n        {}\n    ]\n}");
}

TEST_CASE("each value has the type that Go's decoder chooses") {
  CHECK(go_type(Json::object()) == "map[string]interface {}");
  CHECK(go_type(Json::array()) == "[]interface {}");
  CHECK(go_type("x") == "string");
  CHECK(go_type(true) == "bool");
  CHECK(go_type(nullptr) == "<nil>");
  CHECK(go_type(9223372036854775807) == "int64");
  CHECK(go_type(9223372036854775808U) == "float64");
  CHECK(go_type(1.5) == "float64");
}

}  // namespace
}  // namespace kinf
