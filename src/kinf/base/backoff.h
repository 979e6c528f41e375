// SPDX-License-Identifier: Apache-2.0
// Backoff: computes growing, jittered delays between attempts. It has no clock and does not wait.
#pragma once

#include <chrono>

namespace [[gnu::visibility("default")]] kinf {

class Random;

struct BackoffOptions {
  std::chrono::nanoseconds initial = std::chrono::milliseconds(800);
  double factor = 2.0;
  std::chrono::nanoseconds cap = std::chrono::seconds(30);
  /// The random fraction of a delay (0 to 1): a delay d becomes a random delay in ((1-jitter)·d,
  /// d]. `cap` is therefore a true maximum. client-go instead adds up to 100 % to the delay.
  double jitter = 0.5;
};

/// Threads: one owner.
class Backoff {
 public:
  Backoff(BackoffOptions options, Random& random) : options_(options), random_(&random) {}

  /// Returns the delay before the next attempt. Each call makes the following one longer, up to the
  /// cap.
  std::chrono::nanoseconds next();

  /// Restarts at the initial delay. Call only after the server has sent data, never because time
  /// has passed.
  void reset() { scale_ = 1.0; }

 private:
  BackoffOptions options_;
  Random* random_;
  double scale_ = 1.0;
};

}  // namespace kinf
