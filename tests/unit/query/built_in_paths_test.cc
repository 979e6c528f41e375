// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/built_in_paths.h"

#include <doctest/doctest.h>

#include <string>

namespace kinf {
namespace {

std::string text(const ObjectPath& path) {
  std::string result;
  for (const PathStep& step : path) {
    result += step.kind == PathStep::Kind::each_element ? "[*]" : "." + step.name;
  }
  return result;
}

TEST_CASE("a path is made of names and lists") {
  CHECK(text(simple_path("status.podIP")) == ".status.podIP");
  CHECK(text(simple_path("spec.ports[*].name")) == ".spec.ports[*].name");
  CHECK(simple_path("").empty());
}

TEST_CASE("paths of pods exist for pods and for all kinds that make pods") {
  const std::vector<ObjectPath> paths = built_in_paths("@node");
  REQUIRE(paths.size() == 3);
  CHECK(text(paths[0]) == ".spec.nodeName");
  CHECK(text(paths[1]) == ".spec.template.spec.nodeName");
  CHECK(text(paths[2]) == ".spec.jobTemplate.spec.template.spec.nodeName");
}

TEST_CASE("containers include init and ephemeral containers") {
  const std::vector<ObjectPath> paths = built_in_paths("@image");
  REQUIRE(paths.size() == 9);
  CHECK(text(paths[0]) == ".spec.containers[*].image");
  CHECK(text(paths[1]) == ".spec.initContainers[*].image");
  CHECK(text(paths[2]) == ".spec.ephemeralContainers[*].image");
}

TEST_CASE("only built-in indices have paths") {
  for (const std::string_view name : names_with_paths()) {
    CAPTURE(name);
    CHECK(name.starts_with('@'));
    CHECK_FALSE(built_in_paths(name).empty());
  }
  CHECK(names_with_paths().size() == 8);
  CHECK(built_in_paths("@images").empty());
  CHECK(built_in_paths("node").empty());
  CHECK(built_in_paths("").empty());
}

}  // namespace
}  // namespace kinf
