// SPDX-License-Identifier: Apache-2.0
#include "kinf/cache/index_table.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "fakes/object_builder.h"

namespace kinf {
namespace {

using test::make_object;
using Names = std::vector<std::string>;

Names names_of(const Result<std::vector<ObjectPtr>>& objects) {
  Names names;
  for (const ObjectPtr& object : objects.value()) names.emplace_back(object->name());
  std::sort(names.begin(), names.end());
  return names;
}

/// Two indices: `node` and `app`.
IndexTable example() {
  IndexTable table;
  table.add_index("node");
  table.add_index("app");
  table.put("a", make_object("a"), {{"n1"}, {"web"}});
  table.put("b", make_object("b"), {{"n1"}, {"db"}});
  table.put("c", make_object("c"), {{"n2"}, {"web", "db"}});
  return table;
}

TEST_CASE("select finds the objects that meet all conditions") {
  const IndexTable table = example();
  const auto select = [&](std::vector<IndexCondition> conditions) {
    return table.select(conditions);
  };
  CHECK(names_of(select({{"node", "n1"}, {"app", "web"}})) == Names{"a"});
  CHECK(names_of(select({{"app", "db"}})) == Names{"b", "c"});
  CHECK(names_of(select({{"app", "db"}, {"app", "web"}})) == Names{"c"});
  CHECK(names_of(select({{"node", "n3"}, {"app", "web"}})).empty());
  CHECK(names_of(select({})) == Names{"a", "b", "c"});
  CHECK(select({{"node", "n1"}, {"zone", "z"}}).error().message ==
        "Index with name zone does not exist");
}

TEST_CASE("any_of gives an object once, however many values it shares") {
  const IndexTable table = example();
  const Names both = {"web", "db"};
  CHECK(names_of(table.any_of("app", both)) == Names{"a", "b", "c"});
}

TEST_CASE("an object that is stored twice is found under its newest values only") {
  IndexTable table = example();
  const ObjectPtr first = table.find("c");
  CHECK(table.put("c", make_object("c2"), {{}, {"db", "db"}}) == first);
  CHECK(names_of(table.select(std::vector<IndexCondition>{{"node", "n2"}})).empty());
  CHECK(names_of(table.select(std::vector<IndexCondition>{{"app", "db"}})) == Names{"b", "c2"});
  CHECK(table.size() == 3);
}

TEST_CASE("erasing an unknown key changes nothing") {
  IndexTable table = example();
  CHECK_FALSE(table.erase("d"));
  CHECK(table.size() == 3);
}

TEST_CASE("a table that was moved keeps its indices") {
  IndexTable source = example();
  IndexTable table;
  std::swap(source, table);
  CHECK(table.erase("a")->name() == "a");
  CHECK(names_of(table.select(std::vector<IndexCondition>{{"node", "n1"}})) == Names{"b"});
}

}  // namespace
}  // namespace kinf
