// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/custom_columns.h"

#include <doctest/doctest.h>

#include "unit/print/sample_objects.h"

namespace kinf {
namespace {

ObjectPtr object(std::string name, std::string json) {
  test::Sample sample;
  sample.name = std::move(name);
  sample.json = std::move(json);
  return test::make_object(sample);
}

TEST_CASE("custom columns show the values of their paths") {
  test::Sample sample;
  sample.name = "a";
  sample.json = R"({"metadata":{"name":"a"},"spec":{"ports":[1,2],"map":{"x":"y"}}})";
  const PrintedObjects objects{&test::kPods, {test::make_object(sample)}};
  const PrintOptions options;
  const auto columns =
      CustomColumns::parse("NAME:.metadata.name,PORTS:{.spec.ports[*]},MAP:spec.map,NO:.status.x");
  REQUIRE(columns.has_value());
  CHECK(columns->print(objects, options) ==
        "NAME   PORTS   MAP        NO\n"
        "a      1,2     map[x:y]   <none>\n");
}

TEST_CASE("each custom column needs a header and a path") {
  for (const std::string_view text : {"", "NAME", "NAME:", "A:.b,C"}) {
    CAPTURE(text);
    CHECK_FALSE(CustomColumns::parse(text).has_value());
  }
}

TEST_CASE("a path can have a leading point, none, or braces") {
  const PrintedObjects objects{&test::kPods, {object("a", R"({"metadata":{"name":"a"}})")}};
  PrintOptions options;
  options.headers = false;
  for (const char* path : {".metadata.name", "metadata.name", "{.metadata.name}"}) {
    CAPTURE(path);
    CHECK(CustomColumns::parse(std::string("N:") + path)->print(objects, options) == "a\n");
  }
}

TEST_CASE("invalid custom columns are rejected with kubectl's messages") {
  CHECK(CustomColumns::parse("").error().message ==
        "custom-columns format specified but no custom columns given");
  CHECK(CustomColumns::parse("A:.b,C").error().message ==
        "unexpected custom-columns spec: C, expected <header>:<json-path-expr>");
  CHECK(CustomColumns::parse("A:.b[").error().kind == ErrorKind::usage);
}

TEST_CASE("a template is applied to one object, or to a List of all") {
  const PrintedObjects one{&test::kPods, {object("a", R"({"metadata":{"name":"a"}})")}};
  const PrintedObjects two{
      &test::kPods,
      {object("a", R"({"metadata":{"name":"a"}})"), object("b", R"({"metadata":{"name":"b"}})")}};
  const auto print = [](std::string_view text, const PrintedObjects& objects, bool as_list) {
    return objects_jsonpath(JsonPath::parse(text).value(), objects, as_list, {}).value();
  };
  CHECK(print("{.metadata.name}", one, false) == "a");
  CHECK(print("{.items[*].metadata.name}", one, true) == "a");
  CHECK(print("{.items[*].metadata.name}", two, false) == "a b");
  CHECK(print("{.apiVersion}/{.kind}", two, true) == "v1/List");
}

TEST_CASE("templates and custom columns do not show the values of a Secret") {
  const PrintedObjects secrets{&test::kSecrets, {object("s", R"({"data":{"k":"aHVudGVyMg=="}})")}};
  const JsonPath path = JsonPath::parse("{.data.k}").value();
  PrintOptions options;
  options.headers = false;
  CHECK(objects_jsonpath(path, secrets, false, options).value() == "<7 bytes>");
  CHECK(CustomColumns::parse("K:.data.k")->print(secrets, options) == "<7 bytes>\n");
  options.show_secrets = true;
  CHECK(objects_jsonpath(path, secrets, false, options).value() == "aHVudGVyMg==");
}

TEST_CASE("a template can be applied to a JSON text") {
  CHECK(json_jsonpath(JsonPath::parse("{.groups[*].count}").value(),
                      R"({"groups":[{"count":2},{"count":1}]})")
            .value() == "2 1");
}

}  // namespace
}  // namespace kinf
