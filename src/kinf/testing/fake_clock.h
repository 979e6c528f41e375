// SPDX-License-Identifier: Apache-2.0
// FakeClock: a clock that only moves in advance(). So no test sleeps: wait_for_sleepers() returns
// when threads wait on the clock. For the tests of programs that use kinf, and for its own.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "kinf/base/clock.h"

namespace [[gnu::visibility("default")]] kinf {
namespace testing {

/// Threads: every call from any thread.
class FakeClock final : public Clock {
 public:
  /// The wall clock starts at 2026-11-21T10:14:00Z, the monotonic one an hour after its zero.
  static constexpr Wall kStart{std::chrono::seconds(1795256040)};

  Mono now() const override {
    MutexLock lock(mu_);
    return now_;
  }
  Wall wall() const override {
    MutexLock lock(mu_);
    return kStart + wall_ahead_ + (now_ - Mono{std::chrono::hours(1)});
  }
  /// Moves only the wall clock, as when somebody sets it. A negative value sets it back.
  void set_wall_by(Duration by) {
    MutexLock lock(mu_);
    wall_ahead_ += by;
  }

  void wait_until(CondVar& cv, Mutex& mu, Mono deadline, const std::stop_token& stop)
      KINF_REQUIRES(mu) override {
    {
      MutexLock lock(mu_);
      if (now_ >= deadline) return;
      sleepers_.push_back({&cv, &mu});
      parked_.notify_all();
    }
    cv.wait(mu, stop);
    // advance() may be about to lock `mu` through its list: this sleeper must outlive that, and
    // cannot wait for it while holding `mu`.
    mu.unlock();
    leave(cv);
    mu.lock();
  }

  /// Moves both clocks, and wakes the threads that wait on this one.
  void advance(Duration by) {
    std::vector<Sleeper> wake;
    {
      MutexLock lock(mu_);
      now_ += by;
      wake = std::exchange(sleepers_, {});  // sleepers that continue to wait register again
      ++advancing_;
    }
    // Locking the sleeper's own mutex once closes the gap between its registration here and its
    // wait: after that it is really waiting.
    for (const Sleeper& sleeper : wake) {
      {
        MutexLock hold(*sleeper.mu);
      }
      sleeper.cv->notify_all();
    }
    MutexLock lock(mu_);
    if (--advancing_ == 0) advanced_.notify_all();
  }

  /// Blocks until at least `count` threads wait on this clock.
  void wait_for_sleepers(std::size_t count) {
    MutexLock lock(mu_);
    while (sleepers_.size() < count) parked_.wait(mu_);
  }

 private:
  struct Sleeper {
    CondVar* cv;
    Mutex* mu;
  };

  void leave(CondVar& cv) {
    MutexLock lock(mu_);
    while (advancing_ > 0) advanced_.wait(mu_);
    const auto mine = std::find_if(sleepers_.begin(), sleepers_.end(),
                                   [&](const Sleeper& s) { return s.cv == &cv; });
    if (mine != sleepers_.end()) sleepers_.erase(mine);
  }

  mutable Mutex mu_;
  CondVar parked_;
  CondVar advanced_;
  int advancing_ KINF_GUARDED_BY(mu_) = 0;
  Mono now_ KINF_GUARDED_BY(mu_){std::chrono::hours(1)};
  Duration wall_ahead_ KINF_GUARDED_BY(mu_){};
  std::vector<Sleeper> sleepers_ KINF_GUARDED_BY(mu_);
};

}  // namespace testing
}  // namespace kinf
