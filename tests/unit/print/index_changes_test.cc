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
  IndexChanges changes(index, false);
  changes.reserve({"robusta"});
  CHECK(changes.line({std::nullopt, IndexTuple{"nginx"}}, "default/nginx-d") ==
        "nginx     + default/nginx-d\n");
  CHECK(changes.line({IndexTuple{"robusta"}, std::nullopt}, "default/r") ==
        "robusta   - default/r\n");
  CHECK(changes.line({IndexTuple{"nginx"}, IndexTuple{"web"}}, "default/nginx-a") ==
        "nginx → web   default/nginx-a\n");
  CHECK(changes.line({IndexTuple{std::nullopt}, IndexTuple{"a\nb"}}, "k") ==
        "<none> → a\\nb   k\n");
}

TEST_CASE("changes print as JSON") {
  const IndexAnswer index = answer();
  IndexChanges changes(index, true);
  CHECK(changes.line({IndexTuple{"nginx"}, IndexTuple{std::nullopt}}, "default/a") ==
        R"({"resource":"pods","namespace":"default","by":["label:app"],"change":"moved",)"
        R"("old":["nginx"],"values":[null],"key":"default/a"})"
        "\n");
}

TEST_CASE("a change in JSON says whether the object is new, gone or moved") {
  const IndexAnswer index = answer();
  IndexChanges changes(index, true);
  const auto part = [&](const IndexMove& move) {
    const std::string line = changes.line(move, "k");
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
  IndexChanges changes(index, false);
  CHECK(changes.line({std::nullopt, IndexTuple{"größe", "x"}}, "k") == "größe, x   + k\n");
  CHECK(changes.line({std::nullopt, IndexTuple{"a"}}, "k") == "a          + k\n");
}

}  // namespace
}  // namespace kinf
