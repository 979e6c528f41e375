// SPDX-License-Identifier: Apache-2.0
// Replay: runs the informers of a command on a recording or a stream, step by step, so that all
// changes arrive in the recorded order.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/base/sync.h"
#include "kinf/recording/play/replay_clock.h"

namespace kinf {

class EventHandler;
class ExitRequest;
class Player;
class SharedInformer;

/// Threads: one owner; starts one thread, which calls the handlers of the informers.
class Replay {
 public:
  /// `speed`: see ReplayPace. Both references must outlive this object.
  Replay(Player& player, ExitRequest& exit_request, std::optional<double> speed = std::nullopt);
  /// Calls stop().
  ~Replay();
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  /// Returns a handler, owned by this object, that holds changes for `inner` back until the replay
  /// reaches them. An informer delivers all changes of a list at once, but changes of other
  /// informers may have been recorded between them. Call it before start(), once for each source of
  /// the player, in their order.
  EventHandler& handler(EventHandler& inner);
  /// Makes the replay pause between the initial lists and the changes, until release(). Call it
  /// before start().
  void hold();
  /// Makes the thread call `gathered` once, as soon as Player::has_gathered() returns true. Call it
  /// before start().
  void on_gathered(std::function<void()> gathered) { gathered_ = std::move(gathered); }

  /// Starts the thread; further calls do nothing. Notifies ExitRequest at the end of the recording,
  /// and sets its code if the recording cannot be read. The informers must outlive stop().
  void start(std::vector<SharedInformer*> informers);
  /// Stops the thread and waits for it.
  void stop();
  /// Ends the pause that hold() requested.
  void release();
  /// Returns whether the whole recording was delivered.
  bool has_ended() const { return has_ended_; }

 private:
  class OrderedHandler;
  void run(const std::stop_token& stop);
  /// Waits until the next recorded list or change is due, and passes it to its source. Returns
  /// false at the end of the recording.
  Result<bool> advance(const std::stop_token& stop);
  void wait_for_release(const std::stop_token& stop);
  /// Runs the informers until they have received everything that their sources have.
  void deliver(const std::stop_token& stop);
  /// Passes waiting changes on to the handlers: in the middle of a list, only the changes that the
  /// player has reached; otherwise all changes of the source.
  void pass_reached();

  Player& player_;
  ExitRequest& exit_request_;
  ReplayPace pace_;
  std::vector<SharedInformer*> informers_;                 ///< set by start()
  std::vector<std::unique_ptr<OrderedHandler>> handlers_;  ///< one for each source
  std::function<void()> gathered_;                         ///< empty after it was called
  std::atomic<bool> has_ended_ = false;
  Mutex mu_;
  CondVar released_;
  bool holds_ KINF_GUARDED_BY(mu_) = false;
  std::jthread thread_;
};

}  // namespace kinf
