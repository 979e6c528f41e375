// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/ignored_paths.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

/// The paths that are left, one a line.
std::string left(const std::vector<std::string>& ignored, std::string_view kind,
                 std::string_view old_json, std::string_view new_json) {
  const Result<IgnoredPaths> paths = IgnoredPaths::parse(ignored);
  REQUIRE(paths);
  Result<ObjectDiff> found = diff(old_json, new_json);
  REQUIRE(found);
  paths->remove_ignored(kind, found->changes);
  std::string text;
  for (const Difference& change : found->changes) text += path_text(change.path) + "\n";
  return text;
}

TEST_CASE("noise is what changes without anybody asking") {
  const std::string_view old_json =
      R"({"metadata":{"resourceVersion":"1","generation":1,"managedFields":[1],
          "annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{}"}},
          "spec":{"renewTime":"1"},"status":{"conditions":[{"type":"A","lastHeartbeatTime":"1"}]}})";
  const std::string_view new_json =
      R"({"metadata":{"resourceVersion":"2","generation":2,"managedFields":[2],
          "annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{ }"}},
          "spec":{"renewTime":"2"},"status":{"conditions":[{"type":"A","lastHeartbeatTime":"2"}]}})";
  CHECK(left({"noise"}, "Lease", old_json, new_json) ==
        ".status.conditions[A].lastHeartbeatTime\n");
  CHECK(left({"noise"}, "Node", old_json, new_json) == ".spec.renewTime\n");
  CHECK(
      left({"noise", ".spec", ".status.conditions[*].lastHeartbeatTime"}, "Pod", old_json, new_json)
          .empty());
}

TEST_CASE("an update of what is ignored changes the resourceVersion too, which does not count") {
  const std::string_view old_json = R"({"metadata":{"resourceVersion":"1"},"status":{"x":1}})";
  const std::string_view new_json = R"({"metadata":{"resourceVersion":"2"},"status":{"x":2}})";
  CHECK(left({".status"}, "Pod", old_json, new_json).empty());
  CHECK(left({}, "Pod", old_json, new_json) == ".metadata.resourceVersion\n.status.x\n");
}

TEST_CASE("an object that comes as a whole is ignored if all of its members are") {
  const std::string_view old_json = R"({"metadata":{}})";
  const std::string_view one =
      R"({"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{}"}}})";
  const std::string_view two =
      R"({"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"","a":""}}})";
  CHECK(left({"noise"}, "Pod", old_json, one).empty());
  CHECK(left({"noise"}, "Pod", one, old_json).empty());
  CHECK(left({"noise"}, "Pod", old_json, two) == ".metadata.annotations\n");
  CHECK(left({"noise"}, "Pod", old_json, R"({"metadata":{"annotations":{}}})") ==
        ".metadata.annotations\n");
}

TEST_CASE("--ignore refuses what is neither a path nor noise") {
  const Result<IgnoredPaths> paths = IgnoredPaths::parse(std::vector<std::string>{"nois"});
  REQUIRE_FALSE(paths);
  CHECK(paths.error().message ==
        "--ignore nois: not a path such as .status.conditions[Ready].status, and not noise");
}

}  // namespace
}  // namespace kinf
