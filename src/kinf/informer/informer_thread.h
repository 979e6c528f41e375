// SPDX-License-Identifier: Apache-2.0
// InformerThread: marks the calling thread while it works for an informer, so that calls from
// inside a callback can be told from calls from outside.
#pragma once

#include <utility>

namespace kinf {

/// Lives on the stack of a thread that may run callbacks: handlers, observers, transforms, index
/// functions, the source. Such a thread must not wait for itself, nor for another informer's
/// thread, which may be waiting for it.
class InformerThread {
 public:
  /// `informer`: any address that stands for the informer.
  explicit InformerThread(const void* informer) : outer_(std::exchange(current_, informer)) {}
  ~InformerThread() { current_ = outer_; }
  InformerThread(const InformerThread&) = delete;
  InformerThread& operator=(const InformerThread&) = delete;

  /// The informer that the calling thread works for; null if none.
  static const void* current() { return current_; }

 private:
  static inline thread_local const void* current_ = nullptr;
  const void* outer_;
};

}  // namespace kinf
