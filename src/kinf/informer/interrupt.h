// SPDX-License-Identifier: Apache-2.0
// Interrupt: ends a wait that takes only a stop token, without stopping the thread.
#pragma once

#include <stop_token>

#include "kinf/base/sync.h"

namespace kinf {

/// Threads: wake() from any thread; token() from the one that waits.
class Interrupt {
 public:
  /// The token for the next wait. Take it before checking for work: a wake() after the check then
  /// ends the wait at once.
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
    source.request_stop();  // runs the callbacks of the wait: not under a lock
  }

 private:
  Mutex mu_;
  std::stop_source source_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
