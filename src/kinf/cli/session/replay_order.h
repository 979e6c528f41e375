// SPDX-License-Identifier: Apache-2.0
// ReplayOrder: passes the changes of several informers on in the order in which they were recorded.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "kinf/api/event_handler.h"
#include "kinf/recording/play/player.h"

namespace kinf {

/// An informer delivers all changes of a list at once. While they were recorded, changes of other
/// informers may have come between them.
/// Threads: one, that of Replay.
class ReplayOrder {
 public:
  ReplayOrder();
  ~ReplayOrder();
  ReplayOrder(const ReplayOrder&) = delete;
  ReplayOrder& operator=(const ReplayOrder&) = delete;

  /// Returns a handler, owned by this object, that keeps changes for `inner` until pass(). Call it
  /// once for each source of the player, in their order.
  EventHandler& handler(EventHandler& inner);
  /// Passes on what `player` has reached, and everything of sources that are not in a list.
  void pass(const Player& player);

 private:
  class Handler;
  std::vector<std::unique_ptr<Handler>> handlers_;
};

}  // namespace kinf
