// SPDX-License-Identifier: Apache-2.0
// run_seeds(): runs the schedules of many seeds on several threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/run.h"

namespace kinf::sim {

struct SeedsOptions {
  std::uint64_t first = 1;
  std::uint64_t count = 0;
  unsigned jobs = 1;
  bool stops_at_failure = false;
};

struct SeedsReport {
  std::uint64_t passed = 0;
  std::uint64_t failed = 0;
  std::uint64_t steps = 0;
  std::uint64_t faults = 0;
  std::uint64_t recordings = 0;       ///< seeds whose clients record
  std::uint64_t states = 0;           ///< seeds whose clients keep a state
  std::int64_t slowest_recovery = 0;  ///< milliseconds of virtual time
  std::optional<std::uint64_t> first_failed;
};

/// Prints a line for each seed that breaks a promise. Each run uses one thread only, so the result
/// of a seed does not depend on `jobs`.
SeedsReport run_seeds(const SeedsOptions& options);

/// Returns the part of a message before the colon: which promise is broken.
std::string promise_of(const std::string& broken);

}  // namespace kinf::sim
