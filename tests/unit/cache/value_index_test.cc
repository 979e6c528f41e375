// SPDX-License-Identifier: Apache-2.0
#include "kinf/cache/value_index.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace kinf {
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
}  // namespace kinf
