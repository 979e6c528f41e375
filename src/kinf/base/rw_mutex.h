// SPDX-License-Identifier: Apache-2.0
// RwMutex and its locks, with clang's thread-safety attributes.
#pragma once

#include <cstdlib>
#include <utility>

#include "kinf/base/rw_lock.h"
#include "kinf/base/sync.h"

namespace kinf {

/// Allows many readers or one writer. A waiting writer has priority over later readers, so that
/// readers cannot starve it. A thread must not lock it twice. ReadLock handles nested read locks.
class KINF_TSA(capability("rw_mutex")) RwMutex {
 public:
  void lock() KINF_TSA(acquire_capability()) { lock_.lock(); }
  void unlock() KINF_TSA(release_capability()) { lock_.unlock(); }
  void lock_shared() KINF_TSA(acquire_shared_capability()) { lock_.lock_shared(); }
  void unlock_shared() KINF_TSA(release_shared_capability()) { lock_.unlock_shared(); }

 private:
  WriterFirstRwLock lock_;
};

/// Use on the stack only. If the thread already holds a ReadLock of the same mutex, a nested one
/// does not lock again and never waits.
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

  /// Whether the calling thread holds a ReadLock of `mu`.
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

/// Aborts the process if the thread holds a ReadLock of the same mutex.
class KINF_TSA(scoped_lockable) WriteLock {
 public:
  explicit WriteLock(RwMutex& mu) KINF_TSA(acquire_capability(mu)) : mu_(mu) {
    if (ReadLock::is_held(mu)) std::abort();
    mu_.lock();
  }
  ~WriteLock() KINF_TSA(release_capability()) { mu_.unlock(); }
  WriteLock(const WriteLock&) = delete;
  WriteLock& operator=(const WriteLock&) = delete;

 private:
  RwMutex& mu_;
};

}  // namespace kinf
