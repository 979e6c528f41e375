// SPDX-License-Identifier: Apache-2.0
// Backoff: growing, jittered delays between attempts. It only computes delays and has no clock.
#pragma once

#include <chrono>

namespace kinf {

class Random;

struct BackoffOptions {
  std::chrono::nanoseconds initial = std::chrono::milliseconds(800);
  double factor = 2.0;
  std::chrono::nanoseconds cap = std::chrono::seconds(30);
  /// The part of a delay that is random: a delay d becomes one in ((1-jitter)·d, d]. So `cap` is a
  /// true maximum; client-go adds up to 100 % instead.
  double jitter = 0.5;
};

/// Threads: one owner.
class Backoff {
 public:
  Backoff(BackoffOptions options, Random& random) : options_(options), random_(&random) {}

  /// Returns the delay before the next attempt. Each call makes the following one longer, up to the
  /// cap.
  std::chrono::nanoseconds next();

  /// To be called only on proof of health (data arrived), never because time passed.
  void reset() { scale_ = 1.0; }

 private:
  BackoffOptions options_;
  Random* random_;
  double scale_ = 1.0;
};

}  // namespace kinf
