// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include "kinf/query/update_filter.h"

namespace kinf {
namespace {

ObjectPtr lease_of(std::string_view json) {
  ObjectFacts facts;
  facts.kind = "Lease";
  facts.name = "x";
  facts.json = json;
  return Object::create(facts);
}

bool passes(const std::vector<std::string>& changed, const std::vector<std::string>& ignored,
            std::string_view old_json, std::string_view new_json) {
  const Result<UpdateFilter> filter = UpdateFilter::parse(changed, ignored);
  REQUIRE(filter);
  CHECK(filter->passes_all() == (changed.empty() && ignored.empty()));
  return filter->passes(*lease_of(old_json), *lease_of(new_json));
}

constexpr std::string_view kOld =
    R"({"metadata":{"resourceVersion":"1"},"spec":{"renewTime":"1","a":1},"c":[{"n":1}]})";
constexpr std::string_view kRenewed =
    R"({"metadata":{"resourceVersion":"2"},"spec":{"renewTime":"2","a":1},"c":[{"n":1}]})";
constexpr std::string_view kChanged =
    R"({"metadata":{"resourceVersion":"2"},"spec":{"renewTime":"2","a":2},"c":[{"n":2}]})";

TEST_CASE("an update counts if the values at one of the paths differ") {
  CHECK(passes({}, {}, kOld, kRenewed));
  CHECK_FALSE(passes({".spec.a"}, {}, kOld, kRenewed));
  CHECK(passes({".spec.a"}, {}, kOld, kChanged));
  CHECK(passes({".x", ".c[*].n"}, {}, kOld, kChanged));
  CHECK_FALSE(passes({".x", ".c[1]"}, {}, kOld, kChanged));
}

TEST_CASE("an update counts if something that is not ignored differs") {
  CHECK_FALSE(passes({}, {"noise"}, kOld, kRenewed));
  CHECK(passes({}, {"noise"}, kOld, kChanged));
  CHECK_FALSE(passes({}, {"noise", ".spec.a", ".c"}, kOld, kChanged));
  CHECK(passes({}, {"noise"}, kOld, "{damaged"));
}

TEST_CASE("with both an update has to pass both") {
  CHECK_FALSE(passes({".spec"}, {".spec"}, kOld, kRenewed));
  CHECK(passes({".spec"}, {".c"}, kOld, kChanged));
}

TEST_CASE("what is no path is refused, with the flag that has it") {
  CHECK(UpdateFilter::parse(std::vector<std::string>{"app"}, {}).error().message ==
        "--changed app: not a JSONPath such as .data");
  CHECK(UpdateFilter::parse({}, std::vector<std::string>{"app"})
            .error()
            .message.starts_with("--ignore app: "));
}

}  // namespace

namespace {

bool matches(const std::string& field, bool equal, const std::string& value) {
  ObjectFacts facts;
  facts.json = R"({"spec":{"replicas":3,"paused":true,"name":"a","empty":null}})";
  FieldFilter filter;
  filter.add({field, equal, value});
  return filter.matches(*Object::create(facts));
}

TEST_CASE("a field is compared as text, and a missing one is empty") {
  CHECK(matches("spec.name", true, "a"));
  CHECK_FALSE(matches("spec.name", true, "b"));
  CHECK(matches("spec.name", false, "b"));
  CHECK(matches("spec.replicas", true, "3"));
  CHECK(matches("spec.paused", true, "true"));
  CHECK(matches("spec.missing", true, ""));
  CHECK(matches("spec.empty", true, ""));
  CHECK(matches("spec.name.inner", true, ""));
  CHECK(matches("", true, ""));
  CHECK_FALSE(matches("spec.missing", false, ""));
}

TEST_CASE("without requirements every object matches, with several all must hold") {
  ObjectFacts facts;
  facts.json = R"({"a":"1","b":"2"})";
  const ObjectPtr object = Object::create(facts);
  FieldFilter filter;
  CHECK(filter.matches(*object));
  filter.add({"a", true, "1"});
  CHECK(filter.matches(*object));
  filter.add({"b", false, "2"});
  CHECK_FALSE(filter.matches(*object));
}

}  // namespace

}  // namespace kinf
