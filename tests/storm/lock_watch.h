// SPDX-License-Identifier: Apache-2.0
// Measures the reader-writer locks of this program: the linker puts a wrapper between kinf::RwMutex
// and the system's lock (see CMakeLists.txt).
#pragma once

#include <chrono>
#include <cstdint>

namespace kinf::test {

/// Totals of all reader-writer locks, so only meaningful in a program with one such lock.
struct LockReport {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  /// From locking to unlocking; rather a little too long than too short.
  std::chrono::nanoseconds longest_read_hold{};
  /// From the request until the last blocking reader had unlocked. Does not include the time that
  /// the scheduler takes to wake the writer.
  std::chrono::nanoseconds longest_write_wait{};
  /// Writes not in longest_write_wait, because the writer was preempted during the request, perhaps
  /// before the lock received it.
  std::uint64_t writes_not_judged = 0;
};

/// Threads: any.
LockReport lock_report();

}  // namespace kinf::test
