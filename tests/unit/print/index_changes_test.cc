// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/index_changes.h"

#include <doctest/doctest.h>

#include "unit/print/sample_objects.h"

namespace kinf {
namespace {

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

TEST_CASE("on a terminal, a change takes one row") {
  const IndexAnswer index = answer();
  std::size_t width = 40;
  IndexChanges changes(false, {}, [&] { return width; });
  const std::string image = "registry.example.com/team/project/image:1.2.3";
  const std::string key = "default/web-5d9c7f6b8-x2x4z";
  CHECK(changes.line(index, {std::nullopt, IndexTuple{"nginx"}}, key) ==
        "nginx   + default/web-5d9c7f6b8-x2x4z\n");
  CHECK(changes.line(index, {std::nullopt, IndexTuple{image}}, key) ==
        "registry.…age:1.2.3  + default…6b8-x2x4z\n");
  width = 0;  // unknown
  CHECK(changes.line(index, {std::nullopt, IndexTuple{image}}, key) ==
        image + "   + " + key + "\n");
}

}  // namespace
}  // namespace kinf
