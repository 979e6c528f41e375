// SPDX-License-Identifier: Apache-2.0
// The readers-writer locks under RwMutex. In both, readers that come after a waiting writer wait
// until it is done, so that readers cannot starve it. Use RwMutex, which the compiler checks.
// Threads: any. A thread must not lock one of them twice.
#pragma once

#include <pthread.h>

#include <mutex>

namespace kinf {

/// Prefers writers on every system. All threads pass a turnstile to get the lock, and a waiting
/// writer blocks it: the readers that have the lock leave, and no other reader gets it.
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
/// glibc can prefer writers itself, which costs readers less than a turnstile.
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

}  // namespace kinf
