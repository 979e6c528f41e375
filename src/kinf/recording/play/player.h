// SPDX-License-Identifier: Apache-2.0
// Player: plays a recording or a stream of JSON to informers. Its sources are ListerWatchers, which
// the informers read instead of a server. The player makes the lists and changes available in its
// sources one after the other. The code in this folder only plays recordings; it does not write
// them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include "kinf/base/error.h"
#include "kinf/recording/play/replay_clock.h"

namespace kinf {

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
  /// Returns the recorded time of the next list or change; nullopt at the end, or if the time is
  /// unknown. May block until there is a list or change, or until stop is requested.
  virtual Result<std::optional<Clock::Wall>> next_time(const std::stop_token& stop) = 0;
  /// Makes the next list or change available in its source, and sets the clock to its time. Returns
  /// false at the end. Call it when has_pending() is false. May block until there is a list or
  /// change, or until stop is requested.
  virtual Result<bool> advance(const std::stop_token& stop) = 0;
  /// Returns the recorded changes whose time the clock reached in the last advance(). A source
  /// makes all changes of a list available together with the first of them, but this function
  /// returns each one only after the clock has reached its time.
  virtual std::span<const ReachedChange> reached() const { return {}; }
  /// Returns whether a source has changes of a list whose time the clock has not reached yet.
  virtual bool is_in_list(std::size_t /*source*/) const { return false; }
  /// Returns whether the first lists of all sources are available, and the clock has reached their
  /// times.
  virtual bool has_listed() const = 0;
  /// Returns whether, by the clock's time, the recorded command had begun to print although first
  /// lists were missing.
  virtual bool has_gathered() const { return false; }
  /// Returns whether a source has a list or events that its informer has not taken yet.
  virtual bool has_pending() const = 0;
};

}  // namespace kinf
