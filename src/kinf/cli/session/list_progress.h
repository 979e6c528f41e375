// SPDX-License-Identifier: Apache-2.0
// ListProgress: describes how far the first lists of a command are:
// `pods: 12,400 of 50,000 objects, 8,100/s, 6 s…`.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "kinf/base/clock.h"

namespace kinf {

/// A list that is not complete.
struct RunningList {
  std::string description;     ///< `pods`
  std::uint64_t received = 0;  ///< objects so far
  std::uint64_t total = 0;     ///< objects in the whole list; 0: not known
};

/// Threads: one owner.
class ListProgress {
 public:
  /// `source` is what the lists are read from.
  explicit ListProgress(std::string source) : source_(std::move(source)) {}
  /// Returns the line for these lists, `waited` after the command began. The rate is that of the
  /// last seconds. `lists` must not be empty.
  std::string text(const std::vector<RunningList>& lists, Clock::Duration waited);

 private:
  double rate(std::uint64_t received, Clock::Duration waited);

  const std::string source_;
  std::deque<std::pair<Clock::Duration, std::uint64_t>> samples_;  ///< time, objects received
};

}  // namespace kinf
