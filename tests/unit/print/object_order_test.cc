// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/object_order.h"

#include <doctest/doctest.h>

#include "fakes/object_builder.h"
#include "unit/print/sample_objects.h"

namespace kinf {
namespace {

ObjectPtr named(const std::string& name) {
  test::ObjectSpec spec;
  spec.name = name;
  return test::make_object(spec);
}

/// Returns the objects as `a:x b:y`, each with its cluster.
std::string text_of(const std::vector<PrintedObjects>& types) {
  std::string text;
  for (const PrintedObjects& some : types) {
    for (const ObjectPtr& object : some.objects) {
      text += (text.empty() ? "" : " ") + some.cluster + ":" + std::string(object->name());
    }
  }
  return text;
}

std::vector<PrintedObjects> sample() {
  return {{&test::kPods, {named("c"), named("a")}, "one"},
          {&test::kPods, {named("b")}, "two"},
          {&test::kServices, {named("a")}, "one"}};
}

TEST_CASE("objects of several clusters are sorted together, each table for itself") {
  std::vector<PrintedObjects> types = sample();
  const SortOrder by_name = SortOrder::parse(".metadata.name").value();
  REQUIRE(sort_objects(types, by_name, SortScope::table).has_value());
  CHECK(text_of(types) == "one:a two:b one:c one:a");
  CHECK(types.back().resource == &test::kServices);
}

TEST_CASE("without tables, objects of all types are sorted together") {
  std::vector<PrintedObjects> types = sample();
  const SortOrder by_name = SortOrder::parse(".metadata.name").value();
  REQUIRE(sort_objects(types, by_name, SortScope::all).has_value());
  CHECK(text_of(types) == "one:a one:a two:b one:c");
}

TEST_CASE("an empty order changes nothing, and an unknown path is an error") {
  std::vector<PrintedObjects> types = sample();
  REQUIRE(sort_objects(types, SortOrder(), SortScope::all).has_value());
  CHECK(text_of(types) == "one:c one:a two:b one:a");
  const SortOrder by_other = SortOrder::parse(".spec.other").value();
  CHECK_FALSE(sort_objects(types, by_other, SortScope::all).has_value());
}

}  // namespace
}  // namespace kinf
