// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/where_condition.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <string_view>
#include <vector>

namespace kinf {
namespace {

ObjectPtr with_json(std::string_view json) {
  ObjectFacts facts;
  facts.ns = "default";
  facts.name = "a";
  facts.json = json;
  return Object::create(facts);
}

/// Returns the path of --where that is probably meant, or an empty string.
std::string meant(std::string_view program, const std::vector<std::string_view>& documents) {
  std::vector<ObjectPtr> objects;
  for (const std::string_view json : documents) objects.push_back(with_json(json));
  const std::optional<JqReads::Path> path = meant_path(objects, JqReads::of(program).paths().at(0));
  return path ? fmt::format(".{}", fmt::join(*path, ".")) : "";
}

constexpr std::string_view kPod =
    R"({"metadata":{"creationTimestamp":"x","labels":{"app":"a"}},"status":{"phase":"Running"}})";

TEST_CASE("a path that no object has means a similar one that an object has") {
  CHECK(meant(".status.phse == 1", {kPod}) == ".status.phase");
  CHECK(meant(".stauts.phase == 1", {kPod}) == ".status.phase");
  CHECK(meant(".status.Phase == 1", {R"({"spec":1})", kPod}) == ".status.phase");
  CHECK(meant(".metadata.lables.app == 1", {kPod}) == ".metadata.labels.app");
}

TEST_CASE("a path that an object has, or that is not similar to another, means itself") {
  CHECK(meant(".status.phase == 1", {kPod}) == "");
  CHECK(meant(".status.phse == 1", {kPod, R"({"status":{"phse":1}})"}) == "");
  std::vector<std::string_view> many(100, kPod);
  many.emplace_back(R"({"status":{"phse":1}})");
  CHECK(meant(".status.phse == 1", many) == "");
  CHECK(meant(".metadata.deletionTimestamp != null", {kPod}) == "");
  CHECK(meant(".status.reason == 1", {kPod}) == "");
  CHECK(meant(".stauts.reason == 1", {kPod}) == "");
  CHECK(meant(".metadata.labels.app.x == 1", {kPod}) == "");
  CHECK(meant(".status.unavailableReplicas > 0", {R"({"status":{"availableReplicas":1}})"}) == "");
}

TEST_CASE("without objects no path is mistyped") {
  CHECK(meant(".status.phse == 1", {}) == "");
  CHECK(meant(".status.phse == 1", {"{}"}) == "");
}

}  // namespace
}  // namespace kinf
