// SPDX-License-Identifier: Apache-2.0
// Replay: runs the informers of a command on a recording or a stream, step by step, so that all
// changes arrive in the recorded order.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include "kinf/base/sync.h"
#include "kinf/cli/runtime/exit_request.h"
#include "kinf/cli/session/replay_order.h"
#include "kinf/informer/shared_informer.h"
#include "kinf/recording/play/player.h"
#include "kinf/recording/play/replay_clock.h"

namespace kinf {

/// Threads: one owner; starts one thread, which calls the handlers of the informers.
class Replay {
 public:
  /// All must outlive this. Notifies `exit_request` at the end of the recording, and sets its code
  /// if the recording cannot be read.
  /// `order`: holds the handlers whose changes must come in the recorded order.
  /// `speed`: see ReplayPace.
  /// `holds`: pauses between the first lists and the changes, until release().
  /// `gathered`: is called once, on the thread, as soon as Player::has_gathered(); may be empty.
  Replay(Player& player, std::vector<SharedInformer*> informers, ReplayOrder& order,
         ExitRequest& exit_request, bool holds, std::optional<double> speed = std::nullopt,
         std::function<void()> gathered = {});
  /// Calls stop().
  ~Replay();
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  /// Stops the thread and waits for it.
  void stop();
  /// Goes on with the changes.
  void release();
  /// Returns true if everything was delivered.
  bool has_ended() const { return has_ended_; }

 private:
  void run(const std::stop_token& stop);
  /// Waits until the next list or change is due, and makes it available. Returns false at the end.
  Result<bool> advance(const std::stop_token& stop);
  void wait_for_release(const std::stop_token& stop);
  /// Runs the informers until they have taken what the player made available.
  void deliver(const std::stop_token& stop);

  Player& player_;
  const std::vector<SharedInformer*> informers_;
  ReplayOrder& order_;
  ExitRequest& exit_request_;
  ReplayPace pace_;
  std::function<void()> gathered_;  ///< empty after the call
  std::atomic<bool> has_ended_ = false;
  Mutex mu_;
  CondVar released_;
  bool holds_ KINF_GUARDED_BY(mu_);
  std::jthread thread_;
};

}  // namespace kinf
