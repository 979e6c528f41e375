// SPDX-License-Identifier: Apache-2.0
// InformerThread: marks the calling thread while it works for an informer, so that functions can
// detect that they are called from a callback.
#pragma once

#include <utility>

namespace kinf {

/// Create it on the stack of a thread that may run callbacks: handlers, observers, transforms,
/// index functions or the source. Such a thread must not wait for itself or for the thread of
/// another informer, because that thread may be waiting for it.
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
