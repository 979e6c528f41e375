// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/index_text.h"

#include <doctest/doctest.h>

#include "kinf/print/csv_text.h"
#include "kinf/print/custom_columns.h"
#include "kinf/print/index_changes.h"
#include "unit/print/sample_objects.h"

namespace kinf {
namespace {

ObjectPtr labelled(std::string name, std::vector<Label> labels) {
  test::Sample sample;
  sample.name = std::move(name);
  sample.labels = std::move(labels);
  return test::make_object(sample);
}

IndexAnswer answer_by(std::string_view spec) {
  IndexAnswer answer;
  answer.resource = &test::kPods;
  answer.ns = "default";
  answer.specs = {IndexSpec::parse(spec).value()};
  answer.objects = {labelled("a", {{"app", "nginx"}}), labelled("b", {{"app", "nginx"}}),
                    labelled("c", {})};
  answer.resource_version = "48210";
  return answer;
}

std::vector<std::string> own_values(const IndexSpec& spec, const Object& object) {
  return spec.values(object);
}

TEST_CASE("groups print as a table of counts or as JSON") {
  const IndexAnswer answer = answer_by("app");
  const auto groups = group_objects(answer.objects, answer.specs, own_values);
  CHECK(groups_table(answer, groups, true) ==
        "APP      COUNT\n"
        "nginx    2\n"
        "<none>   1\n");
  CHECK(groups_table(answer, groups, false) == "nginx    2\n<none>   1\n");
  CHECK(groups_json(answer, groups) ==
        R"({"resource":"pods","namespace":"default","by":["label:app"],"groups":[)"
        R"({"values":["nginx"],"count":2,"keys":["default/a","default/b"]},)"
        R"({"values":[null],"count":1,"keys":["default/c"]}],"total":3,"resourceVersion":"48210"})"
        "\n");
  CHECK(groups_json_lines(answer, groups) ==
        R"({"resource":"pods","namespace":"default","by":["label:app"],"values":["nginx"],)"
        R"("count":2,"keys":["default/a","default/b"],"resourceVersion":"48210"})"
        "\n"
        R"({"resource":"pods","namespace":"default","by":["label:app"],"values":[null],)"
        R"("count":1,"keys":["default/c"],"resourceVersion":"48210"})"
        "\n");
}

TEST_CASE("matches print as one JSON document") {
  IndexAnswer answer = answer_by("app=nginx");
  answer.objects.pop_back();
  answer.ns.reset();
  CHECK(matches_json(answer) ==
        R"({"resource":"pods","namespace":null,"by":["label:app"],"values":["nginx"],"count":2,)"
        R"("keys":["default/a","default/b"],"resourceVersion":"48210"})"
        "\n");
}

TEST_CASE("a wide table of counts shows the first keys") {
  IndexAnswer answer = answer_by("app");
  for (const char* name : {"d", "e"}) answer.objects.push_back(labelled(name, {{"app", "nginx"}}));
  const auto groups = group_objects(answer.objects, answer.specs, own_values);
  CHECK(groups_table(answer, groups, false, true) ==
        "nginx    4     default/a,default/b,default/d + 1 more...\n"
        "<none>   1     default/c\n");
}

TEST_CASE("CSV quotes what it must and leaves out what is not there") {
  IndexAnswer answer = answer_by("app");
  answer.objects = {labelled("a", {{"app", "x,\"y\""}}), labelled("b", {})};
  const auto groups = group_objects(answer.objects, answer.specs, own_values);
  CHECK(groups_csv(answer, groups, true) == "APP,COUNT\n\"x,\"\"y\"\"\",1\n,1\n");
}

TEST_CASE("JSON carries the objects if they are wanted, and keys as they are wanted") {
  IndexAnswer answer = answer_by("app=nginx");
  answer.objects = {labelled("a", {{"app", "nginx"}})};
  answer.with_objects = true;
  answer.key_format = KeyFormat::parse("{ns}---{name}").value();
  CHECK(matches_json(answer) ==
        R"({"resource":"pods","namespace":"default","by":["label:app"],"values":["nginx"],)"
        R"("count":1,"keys":["default---a"],"objects":[{}],"resourceVersion":"48210"})"
        "\n");
}

TEST_CASE("a whole index prints as JSON or YAML") {
  const IndexDump dump = {{"label:app", {{"a", {"x/1", "x/2"}}, {"b", {"x/3"}}}}};
  CHECK(dump_json(dump) == R"({"label:app":{"a":["x/1","x/2"],"b":["x/3"]}})"
                           "\n");
  CHECK(json_as_yaml(dump_json(dump)) == "label:app:\n  a:\n  - x/1\n  - x/2\n  b:\n  - x/3\n");
}

TEST_CASE("changes line up behind the widest value known") {
  const IndexAnswer answer = answer_by("app");
  IndexChanges changes(answer, false);
  changes.reserve({"robusta"});
  CHECK(changes.line({std::nullopt, IndexTuple{"nginx"}}, "default/nginx-d") ==
        "nginx     + default/nginx-d\n");
  CHECK(changes.line({IndexTuple{"robusta"}, std::nullopt}, "default/r") ==
        "robusta   - default/r\n");
  CHECK(changes.line({IndexTuple{"nginx"}, IndexTuple{"web"}}, "default/nginx-a") ==
        "nginx → web   default/nginx-a\n");
  CHECK(changes.line({IndexTuple{std::nullopt}, IndexTuple{"a\nb"}}, "k") == "<none> → a?b   k\n");
}

TEST_CASE("changes print as JSON") {
  const IndexAnswer answer = answer_by("app");
  IndexChanges changes(answer, true);
  CHECK(changes.line({IndexTuple{"nginx"}, IndexTuple{std::nullopt}}, "default/a") ==
        R"({"resource":"pods","namespace":"default","by":["label:app"],"change":"moved",)"
        R"("old":["nginx"],"values":[null],"key":"default/a"})"
        "\n");
}

TEST_CASE("custom columns show what the paths find") {
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
  CHECK(
      objects_jsonpath(JsonPath::parse("{.items[*].metadata.name}").value(), objects, true, options)
          .value() == "a");
  CHECK(objects_jsonpath(JsonPath::parse("{.metadata.name}").value(), objects, false, options)
            .value() == "a");
  for (const std::string_view text : {"", "NAME", "NAME:", "A:.b,C"}) {
    CAPTURE(text);
    CHECK_FALSE(CustomColumns::parse(text).has_value());
  }
}

TEST_CASE("the cells of objects print as CSV") {
  const PrintedObjects objects{&test::kPods, {test::make_pod("web-1", "1/1", "Running", "0")}};
  PrintOptions options;
  options.with_namespace = true;
  CHECK(objects_csv(objects, options, Clock::Wall(test::kNow)) ==
        "NAMESPACE,NAME,READY,STATUS,RESTARTS,AGE\ndefault,web-1,1/1,Running,0,24h\n");
}

}  // namespace
}  // namespace kinf
