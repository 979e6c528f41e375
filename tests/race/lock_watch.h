// SPDX-License-Identifier: Apache-2.0
// What the reader-writer locks of this program did, measured around the calls themselves: the
// linker puts a wrapper between kinf::RwMutex and the system's lock (see CMakeLists.txt).
#pragma once

#include <chrono>
#include <cstdint>

namespace kinf::test {

/// Of all reader-writer locks together, so that only a program with one such lock learns from it.
struct LockReport {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  /// From getting in to leaving; a little too long rather than too short.
  std::chrono::nanoseconds longest_read_hold{};
  /// From asking until the last reader in its way had left. What the writer then takes to wake up
  /// is the scheduler's, not the lock's.
  std::chrono::nanoseconds longest_write_wait{};
  /// Writes not in longest_write_wait: the writer was preempted while it asked, perhaps before the
  /// lock knew of it.
  std::uint64_t writes_not_judged = 0;
};

/// Threads: any.
LockReport lock_report();

}  // namespace kinf::test
