// SPDX-License-Identifier: Apache-2.0
// Player: what informers read instead of a server: a recording or a stream of JSON. Its sources are
// ListerWatchers. It makes one list or change after the other available in them. The code in this
// folder only plays recordings; it does not write them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include "kinf/base/error.h"
#include "kinf/recording/play/replay_clock.h"

namespace kinf {

/// A recorded change that was reached.
struct ReachedChange {
  std::size_t source = 0;  ///< sources are numbered in the order of add_source()
  std::string key;
};

/// Threads: one owner, which also runs the informers with SharedInformer::step(). Any thread may
/// request stop.
class Player {
 public:
  virtual ~Player() = default;

  virtual ReplayClock& clock() = 0;
  /// Returns when the next list or change arrived; nullopt at the end, or if it is not known. May
  /// block until there is one or stop is requested.
  virtual Result<std::optional<Clock::Wall>> next_time(const std::stop_token& stop) = 0;
  /// Makes the next list or change available in its source, and sets the clock to its time. Returns
  /// false at the end. Call it when the sources have nothing left. May block until there is one or
  /// stop is requested.
  virtual Result<bool> advance(const std::stop_token& stop) = 0;
  /// Returns the recorded changes whose time the clock reached in the last advance(). A source
  /// makes all changes of a list available together with the first of them; the others are returned
  /// here when their turn comes.
  virtual std::span<const ReachedChange> reached() const { return {}; }
  /// Returns whether a source has changes of a list that are not reached yet.
  virtual bool is_in_list(std::size_t /*source*/) const { return false; }
  /// Returns whether the first lists of all sources are available, and reached.
  virtual bool has_listed() const = 0;
  /// Returns whether the recorded output had stopped waiting for first lists by now.
  virtual bool has_gathered() const { return false; }
  /// Returns whether a source holds something that its informer has not taken yet.
  virtual bool has_pending() const = 0;
};

}  // namespace kinf
