// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/trim_paths.h"

#include <doctest/doctest.h>

#include <vector>

namespace kinf {
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
