// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/sort_order.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

/// Returns the names of objects with these documents, sorted: `2 0 1` for their positions.
std::string sorted(std::string_view paths, const std::vector<std::string>& documents) {
  std::vector<ObjectPtr> objects;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const std::string name = std::to_string(i);
    ObjectFacts facts;
    facts.name = name;
    facts.json = documents[i];
    objects.push_back(Object::create(facts));
  }
  std::vector<const Object*> pointers;
  for (const ObjectPtr& object : objects) pointers.push_back(object.get());
  const Result<std::vector<std::size_t>> order =
      SortOrder::parse(paths).value().positions(pointers);
  if (!order) return order.error().message;
  std::string names;
  for (const std::size_t position : *order) {
    names += (names.empty() ? "" : " ") + std::string(objects[position]->name());
  }
  return names;
}

TEST_CASE("numbers sort by value, and strings by their bytes") {
  CHECK(sorted(".n", {R"({"n":10})", R"({"n":9})", R"({"n":-1})", R"({"n":9.5})"}) == "2 1 3 0");
  CHECK(sorted("s", {R"({"s":"web-10"})", R"({"s":"web-2"})", R"({"s":"app"})"}) == "2 0 1");
}

TEST_CASE("quantities sort by amount") {
  CHECK(sorted("{.q}", {R"({"q":"1Gi"})", R"({"q":"500M"})", R"({"q":"1G"})", R"({"q":"2e3"})"}) ==
        "3 1 2 0");
  CHECK(sorted(".q", {R"({"q":"1"})", R"({"q":"100m"})", R"({"q":"0.2"})", R"({"q":"x"})"}) ==
        "1 2 0 3");
}

TEST_CASE("times sort from the oldest to the newest") {
  CHECK(sorted(".t", {R"({"t":"2026-11-21T10:00:00Z"})", R"({"t":"2025-12-31T23:59:59Z"})"}) ==
        "1 0");
}

TEST_CASE("M4: a path after a dash sorts in reverse, equal objects keep their order") {
  CHECK(sorted("-.t", {R"({"t":"2025-12-31T23:59:59Z"})", R"({"t":"2026-11-21T10:00:00Z"})",
                       R"({"t":"2026-11-21T10:00:00Z"})", "{}"}) == "1 2 0 3");
  CHECK(sorted("-.a,.b", {R"({"a":1,"b":2})", R"({"a":2,"b":9})", R"({"a":2,"b":1})"}) == "2 1 0");
  CHECK(sorted("a, -b", {R"({"a":1,"b":2})", R"({"a":1,"b":3})", R"({"a":0})"}) == "2 1 0");
}

TEST_CASE("equal objects keep their order, and the next path decides") {
  const std::vector<std::string> documents = {R"({"a":"x","b":2})", R"({"a":"w","b":3})",
                                              R"({"a":"x","b":1})"};
  CHECK(sorted(".a", documents) == "1 0 2");
  CHECK(sorted(".a,.b", documents) == "1 2 0");
}

TEST_CASE("objects without a value come first, and types do not mix") {
  CHECK(sorted(".a", {R"({"a":"x"})", "{}", R"({"a":1})", R"({"a":null})", R"({"a":false})"}) ==
        "1 3 4 2 0");
}

TEST_CASE("a path that no object has is an error, as in kubectl") {
  CHECK(sorted(".x", {R"({"a":1})"}) ==
        "couldn't find any field with path \".x\" in the list of objects");
  CHECK(sorted(".x", {}).empty());
  CHECK_FALSE(SortOrder::parse("").has_value());
  CHECK_FALSE(SortOrder::parse(".a,{").has_value());
}

}  // namespace
}  // namespace kinf
