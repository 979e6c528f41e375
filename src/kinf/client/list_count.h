// SPDX-License-Identifier: Apache-2.0
// ListCounter: counts the objects of a list while they arrive, to show its progress.
#pragma once

#include <atomic>
#include <cstdint>

namespace kinf {

/// How far a list is.
struct ListCount {
  std::uint64_t received = 0;  ///< objects so far
  std::uint64_t total = 0;     ///< objects in the list; 0: not known
};

/// Threads: one thread counts; any thread may call count().
class ListCounter {
 public:
  /// Starts a new list.
  void start() {
    received_.store(0, std::memory_order_relaxed);
    total_.store(0, std::memory_order_relaxed);
  }
  void add(std::uint64_t objects) { received_.fetch_add(objects, std::memory_order_relaxed); }
  void set_total(std::uint64_t objects) { total_.store(objects, std::memory_order_relaxed); }
  ListCount count() const {
    return {received_.load(std::memory_order_relaxed), total_.load(std::memory_order_relaxed)};
  }

 private:
  std::atomic<std::uint64_t> received_{0};
  std::atomic<std::uint64_t> total_{0};
};

}  // namespace kinf
