// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/backoff.h"

#include <algorithm>
#include <cstdint>

#include "kinf/base/random.h"

namespace kinf {

std::chrono::nanoseconds Backoff::next() {
  const double cap = static_cast<double>(options_.cap.count());
  const double full = std::min(static_cast<double>(options_.initial.count()) * scale_, cap);
  if (full < cap) scale_ *= options_.factor;
  const double delay = full * (1.0 - options_.jitter * random_->unit());
  return std::chrono::nanoseconds(static_cast<std::int64_t>(delay));
}

}  // namespace kinf
