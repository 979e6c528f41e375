// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/index_text.h"

#include <doctest/doctest.h>

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
  const auto groups = group_objects(answer.objects, answer.specs, own_values).value();
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

TEST_CASE("groups of one cluster of several name it") {
  IndexAnswer answer = answer_by("app");
  answer.cluster = "prod";
  auto groups = group_objects(answer.objects, answer.specs, own_values).value();
  for (IndexGroup& group : groups) group.cluster = answer.cluster;
  CHECK(groups_table(answer, groups, true) ==
        "CLUSTER   APP      COUNT\n"
        "prod      nginx    2\n"
        "prod      <none>   1\n");
  CHECK(groups_separated(answer, groups, true, Separator::comma) ==
        "CLUSTER,APP,COUNT\nprod,nginx,2\nprod,,1\n");
  CHECK(groups_json(answer, groups).starts_with(R"({"cluster":"prod","resource":"pods",)"));
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
  const auto groups = group_objects(answer.objects, answer.specs, own_values).value();
  CHECK(groups_table(answer, groups, false, true) ==
        "nginx    4     default/a,default/b,default/d + 1 more...\n"
        "<none>   1     default/c\n");
}

TEST_CASE("CSV quotes only what must be quoted; a missing value is empty") {
  IndexAnswer answer = answer_by("app");
  answer.objects = {labelled("a", {{"app", "x,\"y\""}}), labelled("b", {})};
  const auto groups = group_objects(answer.objects, answer.specs, own_values).value();
  CHECK(groups_separated(answer, groups, true, Separator::comma) ==
        "APP,COUNT\n\"x,\"\"y\"\"\",1\n,1\n");
}

TEST_CASE("JSON contains the objects if requested, and keys in the requested format") {
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

IndexAnswer answer() {
  IndexAnswer answer;
  answer.resource = &test::kPods;
  answer.ns = "default";
  answer.specs = {IndexSpec::parse("app").value()};
  return answer;
}

TEST_CASE("the keys of changes line up after the widest value so far") {
  const IndexAnswer index = answer();
  IndexChanges changes(false);
  changes.reserve({"robusta"});
  CHECK(changes.line(index, {std::nullopt, IndexTuple{"nginx"}}, "default/nginx-d") ==
        "nginx     + default/nginx-d\n");
  CHECK(changes.line(index, {IndexTuple{"robusta"}, std::nullopt}, "default/r") ==
        "robusta   - default/r\n");
  CHECK(changes.line(index, {IndexTuple{"nginx"}, IndexTuple{"web"}}, "default/nginx-a") ==
        "nginx → web   default/nginx-a\n");
  CHECK(changes.line(index, {IndexTuple{std::nullopt}, IndexTuple{"a\nb"}}, "k") ==
        "<none> → a\\nb   k\n");
}

TEST_CASE("changes print as JSON") {
  const IndexAnswer index = answer();
  IndexChanges changes(true);
  CHECK(changes.line(index, {IndexTuple{"nginx"}, IndexTuple{std::nullopt}}, "default/a") ==
        R"({"resource":"pods","namespace":"default","by":["label:app"],"change":"moved",)"
        R"("old":["nginx"],"values":[null],"key":"default/a"})"
        "\n");
}

TEST_CASE("a change in JSON says whether the object is new, gone or moved") {
  const IndexAnswer index = answer();
  IndexChanges changes(true);
  const auto part = [&](const IndexMove& move) {
    const std::string line = changes.line(index, move, "k");
    const std::size_t begin = line.find("\"change\"");
    return line.substr(begin, line.find(",\"key\"") - begin);
  };
  CHECK(part({std::nullopt, IndexTuple{"a", std::nullopt}}) ==
        R"("change":"added","values":["a",null])");
  CHECK(part({IndexTuple{"a"}, std::nullopt}) == R"("change":"removed","values":["a"])");
  CHECK(part({IndexTuple{"a"}, IndexTuple{"b"}}) ==
        R"("change":"moved","old":["a"],"values":["b"])");
}

TEST_CASE("several values of a change are joined, and their width counts characters") {
  const IndexAnswer index = answer();
  IndexChanges changes(false);
  CHECK(changes.line(index, {std::nullopt, IndexTuple{"größe", "x"}}, "k") == "größe, x   + k\n");
  CHECK(changes.line(index, {std::nullopt, IndexTuple{"a"}}, "k") == "a          + k\n");
}

TEST_CASE("with several clusters, a change begins with its cluster") {
  IndexAnswer index = answer();
  IndexChanges changes(false, {"a", "stage"});
  index.cluster = "a";
  CHECK(changes.line(index, {std::nullopt, IndexTuple{"nginx"}}, "k") == "a       nginx   + k\n");
  index.cluster = "stage";
  CHECK(changes.line(index, {IndexTuple{"nginx"}, IndexTuple{"web"}}, "k") ==
        "stage   nginx → web   k\n");
  CHECK(changes.line(index, {std::nullopt, IndexTuple{}}, "k") == "stage   + k\n");
  IndexChanges json(true, {"a", "stage"});
  CHECK(json.line(index, {std::nullopt, IndexTuple{"web"}}, "k")
            .starts_with(R"({"cluster":"stage","resource":"pods",)"));
}

TEST_CASE("on a terminal, a change that is too wide continues on the next line") {
  const IndexAnswer index = answer();
  std::size_t width = 40;
  IndexChanges changes(false, {}, [&] { return width; });
  const std::string image = "registry.example.com/team/project/image:1.2.3";
  const std::string key = "default/web-5d9c7f6b8-x2x4z";
  CHECK(changes.line(index, {std::nullopt, IndexTuple{"nginx"}}, key) ==
        "nginx   + default/web-5d9c7f6b8-x2x4z\n");
  CHECK(changes.line(index, {std::nullopt, IndexTuple{image}}, key) ==
        image + "\n    + " + key + "\n");
  width = 0;  // unknown
  CHECK(changes.line(index, {std::nullopt, IndexTuple{image}}, key) ==
        image + "   + " + key + "\n");
}

}  // namespace
}  // namespace kinf
