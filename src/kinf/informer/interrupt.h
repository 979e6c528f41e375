// SPDX-License-Identifier: Apache-2.0
// Interrupt: ends a wait that takes only a stop token, without stopping the thread.
#pragma once

#include <stop_token>
#include <utility>

#include "kinf/base/sync.h"

namespace kinf {

/// Threads: call wake() from any thread and token() from the waiting thread.
class Interrupt {
 public:
  /// Returns the token for the next wait. Call it before checking for work, so that a wake() after
  /// the check still ends the wait.
  std::stop_token token() {
    MutexLock lock(mu_);
    if (source_.stop_requested()) source_ = std::stop_source();
    return source_.get_token();
  }

  void wake() {
    std::stop_source source(std::nostopstate);
    {
      MutexLock lock(mu_);
      source = source_;
    }
    source.request_stop();  // not under mu_, because it runs the callbacks of the wait
  }

 private:
  Mutex mu_;
  std::stop_source source_ KINF_GUARDED_BY(mu_);
};

// InformerThread: marks the calling thread while it works for an informer, so that functions can
// detect that they are called from a callback.

/// Create an InformerThread on the stack of a thread that may run callbacks: handlers, observers,
/// transforms, index functions or the source. Such a thread must not wait for itself or for the
/// thread of another informer, because the other thread may be waiting for this one.
class InformerThread {
 public:
  /// `informer` is any address that identifies the informer.
  explicit InformerThread(const void* informer) : outer_(std::exchange(current_, informer)) {}
  ~InformerThread() { current_ = outer_; }
  InformerThread(const InformerThread&) = delete;
  InformerThread& operator=(const InformerThread&) = delete;

  /// Returns the informer for which the calling thread works, or null.
  static const void* current() { return current_; }

 private:
  static inline thread_local const void* current_ = nullptr;
  const void* outer_;
};

}  // namespace kinf
