// SPDX-License-Identifier: Apache-2.0
// ScenarioPlayer: plays the steps of a scenario on the clock, once.
#pragma once

#include <functional>
#include <stop_token>
#include <thread>

#include "kinf/base/sync.h"
#include "kinf/sandbox/object_service.h"
#include "kinf/sandbox/scenario.h"

namespace kinf::sandbox {

/// Threads: start() from any thread, as often as you like; a thread of its own plays, and the
/// destructor stops and joins it. `on_end` is called from that thread when the last step is done;
/// no lock is held.
class ScenarioPlayer {
 public:
  /// `speed` 2 plays in half the time. A scenario without steps never ends.
  ScenarioPlayer(ObjectService& objects, const ApiTypes& types, Clock& clock, Scenario scenario,
                 double speed, std::function<void()> on_end);
  ~ScenarioPlayer();
  ScenarioPlayer(const ScenarioPlayer&) = delete;
  ScenarioPlayer& operator=(const ScenarioPlayer&) = delete;

  /// Puts what is there at first into the store.
  Result<> load_initial();
  void start();
  void stop();

 private:
  void play(const std::stop_token& stop);
  /// False if stopped before.
  bool wait_for(Clock::Mono time, const std::stop_token& stop);
  void play_step(const ScenarioStep& step);

  ObjectService& objects_;
  const ApiTypes& types_;
  Clock& clock_;
  const Scenario scenario_;
  const double speed_;
  const std::function<void()> on_end_;
  Mutex mu_;
  bool stopped_ KINF_GUARDED_BY(mu_) = false;
  std::jthread thread_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf::sandbox
