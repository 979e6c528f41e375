// SPDX-License-Identifier: Apache-2.0
// Etcd: a model of the store behind the API servers: one resource type with a few objects, and
// every state that it ever had, by revision.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace kinf::sim {

inline constexpr std::size_t kObjects = 8;

/// One version of one object. `uid` 0: there is no such object.
struct Version {
  std::uint32_t uid = 0;
  std::uint32_t revision = 0;
  std::uint32_t value = 0;

  bool exists() const { return uid != 0; }
  /// Each object has a label `color`; a client may select red ones.
  bool is_red() const { return value % 2 == 0; }
  bool is_selected(bool red_only) const { return exists() && (!red_only || is_red()); }
  friend auto operator<=>(const Version&, const Version&) = default;
};

/// All objects at one revision.
using State = std::array<Version, kObjects>;

class Etcd {
 public:
  Etcd();

  std::uint32_t revision() const { return static_cast<std::uint32_t>(states_.size() - 1); }
  /// The number of restores from a backup. A restore starts a new timeline, whose revisions repeat.
  std::uint32_t epoch() const { return epoch_; }
  /// Lists and watches from etcd itself fail before this revision.
  std::uint32_t compacted() const { return compacted_; }
  const State& state() const { return states_.back(); }
  /// Compacted states are still known here, so that checks can compare with them.
  const State& state_at(std::uint32_t revision) const { return states_.at(revision); }
  /// Returns whether the object had this version, in this timeline or in one that was lost.
  bool has_had(std::size_t object, const Version& version) const {
    return object < kObjects && written_.at(object).contains(version);
  }
  /// Returns the object that `revision` changed; kObjects if it changed another type.
  std::size_t changed_at(std::uint32_t revision) const { return changed_.at(revision); }

  /// Creates or updates an object.
  void put(std::size_t object, std::uint32_t value);
  /// Does nothing if there is no such object.
  void remove(std::size_t object);
  /// A write to another type: only the revision moves.
  void write_other();
  void compact() { compacted_ = revision(); }
  void back_up() { backup_ = revision(); }
  /// Goes back to the backup. Returns false if there is none that is older than the newest state.
  bool restore();

 private:
  void commit(std::size_t object, const State& state);

  std::vector<State> states_;
  std::vector<std::size_t> changed_;
  std::array<std::set<Version>, kObjects> written_;  ///< in all timelines
  std::uint32_t uids_ = 0;  ///< never goes back: uids are random in a real cluster
  std::uint32_t epoch_ = 0;
  std::uint32_t compacted_ = 0;
  std::uint32_t backup_ = 0;
};

}  // namespace kinf::sim
