// SPDX-License-Identifier: Apache-2.0
// Mutex, RwMutex, their locks, and CondVar: wrappers with clang's thread-safety attributes, so that
// the compiler checks that guarded members are only used under their lock.
#pragma once

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <stop_token>
#include <utility>

#if defined(__clang__)
#define KINF_TSA(x) __attribute__((x))
#else
#define KINF_TSA(x)
#endif
#define KINF_GUARDED_BY(mu) KINF_TSA(guarded_by(mu))
#define KINF_REQUIRES(...) KINF_TSA(requires_capability(__VA_ARGS__))

namespace [[gnu::visibility("default")]] kinf {

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

/// A condition variable. A wait that takes a stop token also ends when stop is requested. Every
/// wait may end early, so the caller re-checks its condition and the stop token in a loop.
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
  /// A predicate that is false only the first time, so that the loop in the standard wait function
  /// waits only once.
  struct Once {
    bool operator()() { return asked++ > 0; }
    int asked = 0;
  };

  std::condition_variable_any cv_;
};

// The two implementations of RwMutex. In both, a reader that arrives while a writer waits is
// blocked until that writer is done, so that readers cannot starve writers. Use RwMutex instead of
// these classes, because the compiler checks its use.
// Threads: any. A thread must not lock the same lock twice.

/// Prefers writers on every system. Each thread holds the mutex `turnstile_` while it acquires the
/// lock. A waiting writer keeps the turnstile, so no new reader gets the lock before the writer.
class TurnstileRwLock {
 public:
  TurnstileRwLock() = default;
  ~TurnstileRwLock() { pthread_rwlock_destroy(&lock_); }
  TurnstileRwLock(const TurnstileRwLock&) = delete;
  TurnstileRwLock& operator=(const TurnstileRwLock&) = delete;

  void lock() {
    const std::lock_guard<std::mutex> turn(turnstile_);
    pthread_rwlock_wrlock(&lock_);
  }
  void lock_shared() {
    const std::lock_guard<std::mutex> turn(turnstile_);
    pthread_rwlock_rdlock(&lock_);
  }
  void unlock() { pthread_rwlock_unlock(&lock_); }
  void unlock_shared() { pthread_rwlock_unlock(&lock_); }

 private:
  std::mutex turnstile_;
  pthread_rwlock_t lock_ = PTHREAD_RWLOCK_INITIALIZER;
};

#if defined(__GLIBC__) && !defined(KINF_TURNSTILE_RW_LOCK)
/// Uses the writer preference of glibc, which costs readers less time than a turnstile.
class WriterFirstRwLock {
 public:
  WriterFirstRwLock() = default;
  ~WriterFirstRwLock() { pthread_rwlock_destroy(&lock_); }
  WriterFirstRwLock(const WriterFirstRwLock&) = delete;
  WriterFirstRwLock& operator=(const WriterFirstRwLock&) = delete;

  void lock() { pthread_rwlock_wrlock(&lock_); }
  void lock_shared() { pthread_rwlock_rdlock(&lock_); }
  void unlock() { pthread_rwlock_unlock(&lock_); }
  void unlock_shared() { pthread_rwlock_unlock(&lock_); }

 private:
  pthread_rwlock_t lock_ = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
};
#else
using WriterFirstRwLock = TurnstileRwLock;
#endif

/// Allows many readers or one writer. A waiting writer has priority over later readers, so that
/// readers cannot starve writers. A thread must not lock an RwMutex twice. ReadLock handles nested
/// read locks.
class KINF_TSA(capability("rw_mutex")) RwMutex {
 public:
  void lock() KINF_TSA(acquire_capability()) { lock_.lock(); }
  void unlock() KINF_TSA(release_capability()) { lock_.unlock(); }
  void lock_shared() KINF_TSA(acquire_shared_capability()) { lock_.lock_shared(); }
  void unlock_shared() KINF_TSA(release_shared_capability()) { lock_.unlock_shared(); }

 private:
  WriterFirstRwLock lock_;
};

/// Holds an RwMutex for reading. Use it on the stack only. If the thread already holds a ReadLock
/// of the same mutex, a nested ReadLock does not lock again and never waits.
class KINF_TSA(scoped_lockable) ReadLock {
 public:
  explicit ReadLock(RwMutex& mu) KINF_TSA(acquire_shared_capability(mu))
      : mu_(mu), is_nested_(is_held(mu)), outer_(std::exchange(innermost_, this)) {
    if (!is_nested_) mu_.lock_shared();
  }
  ~ReadLock() KINF_TSA(release_generic_capability()) {
    innermost_ = outer_;
    if (!is_nested_) mu_.unlock_shared();
  }
  ReadLock(const ReadLock&) = delete;
  ReadLock& operator=(const ReadLock&) = delete;

  /// Returns whether the calling thread holds a ReadLock of `mu`.
  static bool is_held(const RwMutex& mu) {
    const ReadLock* lock = innermost_;
    while (lock != nullptr && &lock->mu_ != &mu) lock = lock->outer_;
    return lock != nullptr;
  }

 private:
  static inline thread_local const ReadLock* innermost_ = nullptr;

  RwMutex& mu_;
  const bool is_nested_;
  const ReadLock* const outer_;  ///< the thread's previous ReadLock; null if it holds no other
};

/// Holds an RwMutex for writing. The constructor aborts the process with a message if the thread
/// holds a ReadLock of the same mutex.
class KINF_TSA(scoped_lockable) WriteLock {
 public:
  explicit WriteLock(RwMutex& mu) KINF_TSA(acquire_capability(mu)) : mu_(mu) {
    if (ReadLock::is_held(mu)) {
      std::fputs("kinf: fatal: a thread writes to a store inside its own with_read_lock()\n",
                 stderr);
      std::abort();
    }
    mu_.lock();
  }
  ~WriteLock() KINF_TSA(release_capability()) { mu_.unlock(); }
  WriteLock(const WriteLock&) = delete;
  WriteLock& operator=(const WriteLock&) = delete;

 private:
  RwMutex& mu_;
};

}  // namespace kinf
