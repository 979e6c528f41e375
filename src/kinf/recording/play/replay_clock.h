// SPDX-License-Identifier: Apache-2.0
// ReplayClock: the clock of a command that plays a recording. ReplayPace: the speed of playing.
#pragma once

#include <atomic>
#include <optional>
#include <stop_token>

#include "kinf/base/clock.h"
#include "kinf/base/sync.h"

namespace kinf {

/// The clock of a command that reads a recording. Its wall time is the recorded time.
/// Threads: every call from any thread.
class ReplayClock final : public Clock {
 public:
  /// wall() returns the real time until set_wall() is called. `real` must outlive this object.
  explicit ReplayClock(Clock& real) : real_(real) {}

  Mono now() const override { return real_.now() + Duration(skipped_.load()); }
  Wall wall() const override;
  void wait_until(CondVar& cv, Mutex& mu, Mono deadline, const std::stop_token& stop)
      KINF_REQUIRES(mu) override;

  /// Returns the real clock, which is independent of the recording.
  Clock& real() const { return real_; }
  /// Returns the time of the real clock.
  Wall real_wall() const { return real_.wall(); }
  /// Returns whether set_wall() was called: a stream of JSON need not have times.
  bool has_wall() const { return wall_.load() != 0; }
  void set_wall(Wall time) { wall_.store(time.time_since_epoch().count()); }
  /// Moves now() forward to `time`, instead of waiting for it.
  void skip_to(Mono time);

 private:
  Clock& real_;
  std::atomic<Duration::rep> skipped_{0};
  std::atomic<Duration::rep> wall_{0};  ///< 0 means the real time
};

/// The pace at which a recording is played.
/// Threads: one owner.
class ReplayPace {
 public:
  /// Plays `speed` times as fast as it was recorded, or without waiting if `speed` is nullopt.
  /// `real` is the real clock, which must outlive this object.
  ReplayPace(Clock& real, std::optional<double> speed) : real_(real), speed_(speed) {}

  /// Blocks until a change recorded at `time` is due, or until stop is requested. The change of the
  /// first call is due at once.
  void wait_for(Clock::Wall time, const std::stop_token& stop);

 private:
  struct Start {
    Clock::Wall recorded{};
    Clock::Mono real{};
  };

  Clock& real_;
  const std::optional<double> speed_;
  std::optional<Start> start_;
  Mutex mu_;  ///< used only for waiting
  CondVar never_;
};

}  // namespace kinf
