// SPDX-License-Identifier: Apache-2.0
// Player: plays a recording or a stream of JSON to informers. Its sources are ListerWatchers, which
// the informers read instead of a server. The player adds the recorded lists and changes to its
// sources one after the other. The code in this folder only plays recordings; it does not write
// them.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include "kinf/base/error.h"
#include "kinf/recording/play/replay_clock.h"

namespace kinf {

struct Gap;

/// A recorded change whose time the clock has reached.
struct ReachedChange {
  std::size_t source = 0;  ///< the index of the source, in the order of add_source()
  std::string key;
};

/// Threads: one owner, which also runs the informers with SharedInformer::step(). Any thread may
/// request stop.
class Player {
 public:
  virtual ~Player() = default;

  virtual ReplayClock& clock() = 0;
  /// Makes advance() call `report` for each gap, a period in which kinf did not watch, instead of
  /// logging it. A stream has no gaps.
  virtual void on_gap(std::function<void(const Gap& gap)> /*report*/) {}
  /// Returns the recorded time of the next list or change; nullopt at the end, or if the time is
  /// unknown. May block until there is a list or change, or until stop is requested.
  virtual Result<std::optional<Clock::Wall>> next_time(const std::stop_token& stop) = 0;
  /// Adds the next list or change to its source, where the informer can read it, and sets the clock
  /// to the recorded time. Returns false at the end. Call it when has_pending() is false. May block
  /// until there is a list or change, or until stop is requested.
  virtual Result<bool> advance(const std::stop_token& stop) = 0;
  /// Returns the recorded changes whose time the clock reached in the last advance(). A source
  /// delivers all changes of a list together with the first of them, but this function returns each
  /// one only after the clock has reached its time.
  virtual std::span<const ReachedChange> reached() const { return {}; }
  /// Returns whether a source has changes of a list whose time the clock has not reached yet.
  virtual bool is_in_list(std::size_t /*source*/) const { return false; }
  /// Returns whether every source has its first list, and the clock has reached the times of these
  /// lists.
  virtual bool has_listed() const = 0;
  /// Returns whether the recorded command had begun to print by the clock's time, although some
  /// first lists had not arrived.
  virtual bool has_gathered() const { return false; }
  /// Returns whether a source has a list or events that its informer has not taken yet.
  virtual bool has_pending() const = 0;
};

}  // namespace kinf
