// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "fakes/object_builder.h"
#include "kinf/cache/index_table.h"

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

namespace {

using Model = std::map<std::string, std::set<Slot>>;

Model content(const ValueIndex& index) {
  Model found;
  index.for_each([&](const std::string& value, std::size_t slots) {
    const std::vector<Slot>& held = index.slots(index.find(value));
    CHECK(held.size() == slots);
    found[value] = {held.begin(), held.end()};
    CHECK(found[value].size() == slots);
  });
  return found;
}

TEST_CASE("an index holds the newest values of each slot") {
  std::mt19937 chance(3);
  ValueIndex index;
  std::map<Slot, std::vector<std::string>> slots;
  for (int step = 0; step < 4000; ++step) {
    const Slot slot = static_cast<Slot>(chance() % 60);
    std::vector<std::string> values;
    for (std::size_t i = chance() % 6; i > 0; --i) {
      values.push_back(fmt::format("v{}", chance() % 20));
    }
    if (chance() % 4 == 0) {
      index.remove(slot);
      slots.erase(slot);
    } else {
      index.put(slot, values);
      slots[slot] = values;
    }
    if (step % 50 != 0) continue;
    Model expected;
    for (const auto& [one, held] : slots) {
      for (const std::string& value : held) expected[value].insert(one);
    }
    CHECK(content(index) == expected);
  }
}

TEST_CASE("a slot has its values and no others") {
  ValueIndex index;
  index.put(3, {"a", "b", "a"});
  CHECK(index.has_value(3, index.find("a")));
  CHECK(index.slots(index.find("a")) == std::vector<Slot>{3});
  CHECK(index.find("c") == ValueIndex::kNone);
  CHECK_FALSE(index.has_value(4, index.find("a")));
  CHECK_FALSE(index.has_value(1, index.find("b")));
}

TEST_CASE("values without slots are removed") {
  ValueIndex index;
  for (int i = 0; i < 1000; ++i) index.put(0, {fmt::format("v{}", i)});
  CHECK(content(index) == Model{{"v999", {0}}});
  index.remove(0);
  CHECK(content(index).empty());
}

}  // namespace

namespace {

TEST_CASE("a table finds what was inserted and not erased, in any order and with collisions") {
  for (const std::size_t distinct_hashes : {1u, 7u, 1000u}) {
    std::mt19937 chance(7);
    SlotTable table;
    std::map<Slot, std::size_t> model;
    const auto hash_for = [&](Slot slot) { return slot % distinct_hashes * 0x9e3779b97f4a7c15u; };
    for (int step = 0; step < 3000; ++step) {
      const Slot slot = static_cast<Slot>(chance() % 300);
      if (model.contains(slot)) {
        table.erase(model[slot], slot);
        model.erase(slot);
      } else {
        table.insert(hash_for(slot), slot);
        model[slot] = hash_for(slot);
      }
      const Slot asked = static_cast<Slot>(chance() % 300);
      const Slot found = table.find(hash_for(asked), [&](Slot one) { return one == asked; });
      CHECK(found == (model.contains(asked) ? asked : SlotTable::kNone));
    }
  }
}

TEST_CASE("an empty table finds nothing") {
  CHECK(SlotTable().find(1, [](Slot) { return true; }) == SlotTable::kNone);
}

}  // namespace

}  // namespace kinf
