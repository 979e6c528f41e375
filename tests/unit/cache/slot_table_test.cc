// SPDX-License-Identifier: Apache-2.0
#include "kinf/cache/slot_table.h"

#include <doctest/doctest.h>

#include <map>
#include <random>

namespace kinf {
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
