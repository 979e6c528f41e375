// SPDX-License-Identifier: Apache-2.0
// RunLimits: when `kinf run` runs a command, and how often.
#pragma once

#include <chrono>
#include <cstddef>

#include "kinf/base/clock.h"

namespace kinf {

struct RunLimits {
  int max_retries = 15;  ///< -1: for ever
  Clock::Duration first_backoff = std::chrono::milliseconds(5);
  Clock::Duration longest_backoff = std::chrono::seconds(1000);
  /// A run waits until its object has not changed for so long.
  Clock::Duration debounce{};
  /// From one start of an object's command to the next.
  Clock::Duration min_interval{};
  std::size_t batch = 1;  ///< the most objects that one run is told of
};

}  // namespace kinf
