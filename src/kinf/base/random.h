// SPDX-License-Identifier: Apache-2.0
// Random: a small seeded generator of random numbers, for jitter. Not for secrets.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <random>

namespace kinf {

/// SplitMix64 (Steele, Lea, Flood 2014).
/// Threads: one owner.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  /// Returns a number in [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  std::uint64_t state_;
};

/// Returns a seed that differs between processes, also between containers whose processes all have
/// the number 1. If the system has no random numbers, the seed is the time since it was started.
inline std::uint64_t random_seed() {
  try {
    std::random_device device;
    return (std::uint64_t{device()} << 32) | device();
  } catch (const std::exception&) {
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  }
}

}  // namespace kinf
