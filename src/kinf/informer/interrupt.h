// SPDX-License-Identifier: Apache-2.0
// Interrupt: gets a thread out of a wait that only a stop token can end, without stopping it.
#pragma once

#include <stop_token>

#include "kinf/base/sync.h"

namespace kinf {

/// Threads: wake() from any; token() from the one that waits.
class Interrupt {
 public:
  /// For the next wait. Take it before looking whether there is something to do: a wake() after
  /// that look then ends the wait at once.
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
