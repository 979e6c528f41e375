// SPDX-License-Identifier: Apache-2.0
// SlotTable: a hash table of slot numbers. The caller stores and compares the keys, so an entry
// takes eight bytes regardless of the length of the key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace kinf {

using Slot = std::uint32_t;

inline std::size_t hash_of_text(std::string_view text) {
  return std::hash<std::string_view>()(text);
}

/// Uses open addressing with linear probing. At most two thirds of the places are in use. Threads:
/// not synchronised; const calls may run at the same time.
class SlotTable {
 public:
  static constexpr Slot kNone = ~Slot{0};

  /// Returns the slot with this hash for which `same(slot)` is true, or kNone.
  template <class Same>
  Slot find(std::size_t hash, Same same) const {
    if (places_.empty()) return kNone;
    const std::uint32_t mark = mark_of(hash);
    for (std::size_t at = mark & mask();; at = (at + 1) & mask()) {
      const Place& place = places_[at];
      if (place.slot == kNone) return kNone;
      if (place.mark == mark && same(place.slot)) return place.slot;
    }
  }

  /// Adds `slot`, which must not be in the table.
  void insert(std::size_t hash, Slot slot) {
    if (3 * (taken_ + 1) > 2 * places_.size()) grow();
    put({mark_of(hash), slot});
    ++taken_;
  }

  /// Removes `slot`, which must be in the table under this hash.
  void erase(std::size_t hash, Slot slot) {
    std::size_t gap = mark_of(hash) & mask();
    while (places_[gap].slot != slot) gap = (gap + 1) & mask();
    --taken_;
    // Moves later entries into the gap, unless that would put an entry before its home place.
    for (std::size_t at = (gap + 1) & mask(); places_[at].slot != kNone; at = (at + 1) & mask()) {
      const std::size_t home = places_[at].mark & mask();
      if (((at - home) & mask()) < ((at - gap) & mask())) continue;
      places_[gap] = places_[at];
      gap = at;
    }
    places_[gap] = Place();
  }

 private:
  struct Place {
    std::uint32_t mark = 0;
    Slot slot = kNone;
  };

  static std::uint32_t mark_of(std::size_t hash) {
    return static_cast<std::uint32_t>(hash ^ (hash >> 32));
  }
  std::size_t mask() const { return places_.size() - 1; }

  void put(Place place) {
    std::size_t at = place.mark & mask();
    while (places_[at].slot != kNone) at = (at + 1) & mask();
    places_[at] = place;
  }

  void grow() {
    constexpr std::size_t kSmallest = 16;
    std::vector<Place> old(places_.empty() ? kSmallest : 2 * places_.size());
    old.swap(places_);
    for (const Place& place : old) {
      if (place.slot != kNone) put(place);
    }
  }

  std::vector<Place> places_;  ///< the size is a power of two
  std::size_t taken_ = 0;
};

}  // namespace kinf
