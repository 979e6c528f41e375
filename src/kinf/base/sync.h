// SPDX-License-Identifier: Apache-2.0
// Mutex, its lock, and CondVar: wrappers with clang's thread-safety attributes, so that
// the compiler checks that guarded members are only used under their lock.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>

#if defined(__clang__)
#define KINF_TSA(x) __attribute__((x))
#else
#define KINF_TSA(x)
#endif
#define KINF_GUARDED_BY(mu) KINF_TSA(guarded_by(mu))
#define KINF_REQUIRES(...) KINF_TSA(requires_capability(__VA_ARGS__))
#define KINF_REQUIRES_SHARED(...) KINF_TSA(requires_shared_capability(__VA_ARGS__))
#define KINF_EXCLUDES(...) KINF_TSA(locks_excluded(__VA_ARGS__))

namespace kinf {

class KINF_TSA(capability("mutex")) Mutex {
 public:
  void lock() KINF_TSA(acquire_capability()) { mu_.lock(); }
  void unlock() KINF_TSA(release_capability()) { mu_.unlock(); }

 private:
  std::mutex mu_;
};

class KINF_TSA(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mu) KINF_TSA(acquire_capability(mu)) : mu_(mu) { mu_.lock(); }
  ~MutexLock() KINF_TSA(release_capability()) { mu_.unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mu_;
};

/// A condition variable whose waits also wake on stop. All waits may wake early: the caller
/// re-checks its condition and the stop token in a loop.
class CondVar {
 public:
  void wait(Mutex& mu, const std::stop_token& stop) KINF_REQUIRES(mu) {
    cv_.wait(mu, stop, Once());
  }
  void wait(Mutex& mu) KINF_REQUIRES(mu) { cv_.wait(mu); }

  /// Waits in real time. Called by RealClock only; all other code waits through a Clock.
  void wait_until(Mutex& mu, std::chrono::steady_clock::time_point deadline,
                  const std::stop_token& stop) KINF_REQUIRES(mu) {
    cv_.wait_until(mu, stop, deadline, Once());
  }

  void notify_one() { cv_.notify_one(); }
  void notify_all() { cv_.notify_all(); }

 private:
  /// A predicate that is false only the first time. It limits the standard wait, which loops, to
  /// one wait.
  struct Once {
    bool operator()() { return asked++ > 0; }
    int asked = 0;
  };

  std::condition_variable_any cv_;
};

}  // namespace kinf
