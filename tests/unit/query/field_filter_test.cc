// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/field_filter.h"

#include <doctest/doctest.h>

namespace kinf {
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
