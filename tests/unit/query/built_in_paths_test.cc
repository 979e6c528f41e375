// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "kinf/query/built_in_paths.h"

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

namespace {

using Texts = std::vector<std::string>;

std::string problem(const Texts& drop, const Texts& keep = {}) {
  const auto trim = parse_trim(drop, keep, false);
  return trim ? "" : trim.error().message;
}

/// The number of bytes that are left out.
std::size_t cut_from(std::string_view json, const Texts& drop, const Texts& keep,
                     bool keep_managed_fields) {
  const auto trim = parse_trim(drop, keep, keep_managed_fields);
  REQUIRE(trim);
  JsonCutter::Cuts cuts;
  REQUIRE((*trim)->cut(json, cuts));
  std::size_t size = 0;
  for (const auto& cut : cuts) size += cut.second;
  return size;
}

TEST_CASE("without paths there is nothing to trim beside managedFields") {
  CHECK(parse_trim({}, {}, false).value() == nullptr);
}

TEST_CASE("managedFields are left out too, unless they are kept") {
  constexpr std::string_view kJson = R"({"a":1,"metadata":{"managedFields":[],"name":"n"}})";
  CHECK(cut_from(kJson, {".a"}, {}, true) == std::string_view(R"("a":1,)").size());
  CHECK(cut_from(kJson, {".a"}, {}, false) ==
        std::string_view(R"("a":1,"managedFields":[],)").size());
  CHECK(cut_from(kJson, {}, {".spec"}, true) == std::string_view(R"("a":1,)").size());
}

TEST_CASE("a path has names with escaped dots, and [*]; an annotation has a short form") {
  constexpr std::string_view kJson =
      R"({"metadata":{"annotations":{"a.b/c":"1"}},"spec":{"l":[{"e":1}]}})";
  CHECK(cut_from(kJson, {R"(.metadata.annotations['a\.b/c'])"}, {}, true) == 11);
  CHECK(cut_from(kJson, {R"(.metadata.annotations.a\.b/c)"}, {}, true) == 11);
  CHECK(cut_from(kJson, {"annotation:a.b/c"}, {}, true) == 11);
  CHECK(cut_from(kJson, {".spec.l[*].e"}, {}, true) == 5);
  CHECK(cut_from(kJson, {"{.spec.l}"}, {}, true) == 13);
}

TEST_CASE("other paths, and fields that identify an object, are refused") {
  for (const char* text :
       {"app", ".spec.l[0]", ".spec[?(@.a==1)]", "..name", ".spec=1", "@node", ""}) {
    CHECK_MESSAGE(problem({text}).starts_with("--drop "), text);
    CHECK_MESSAGE(problem({}, {text}).starts_with("--keep "), text);
  }
  for (const char* text : {".metadata", ".metadata.name", ".metadata.uid", ".kind", ".apiVersion",
                           ".metadata.resourceVersion", ".metadata.namespace"}) {
    CHECK(problem({text}) == "--drop " + std::string(text) + ": kinf needs this field");
    CHECK(problem({}, {text}).empty());
  }
  CHECK(problem({".metadata.labels"}).empty());
}

}  // namespace

}  // namespace kinf
