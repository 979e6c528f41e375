// SPDX-License-Identifier: Apache-2.0
// Gap: a period in which kinf did not watch, as a recording reports it.
#pragma once

#include <string>
#include <vector>

#include "kinf/base/clock.h"

namespace kinf {

/// The gaps of several types that have one cause are one Gap.
struct Gap {
  Clock::Wall begin{};
  Clock::Wall end{};
  std::vector<std::string> resources{};  ///< such as `pods`, sorted; empty: all, the clock jumped
  std::string reason{};

  /// Returns `pods, services and 7 other types`, or `all types`.
  std::string types_text() const;
};

/// Writes a gap to stderr.
void log_gap(const Gap& gap);

}  // namespace kinf
