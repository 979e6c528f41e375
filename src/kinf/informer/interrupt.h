// SPDX-License-Identifier: Apache-2.0
// Interrupt: ends a wait that takes only a stop token, without stopping the thread.
#pragma once

#include <stop_token>

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
    source.request_stop();  // without mu_: it runs the callbacks of the wait
  }

 private:
  Mutex mu_;
  std::stop_source source_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
