// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

#include "kinf/base/sync.h"

namespace kinf {
namespace {

TEST_CASE("a wait ends on stop without a notification") {
  Mutex mu;
  CondVar never;
  std::jthread waiter([&](const std::stop_token& stop) {
    MutexLock lock(mu);
    while (!stop.stop_requested()) never.wait(mu, stop);
  });
  waiter.request_stop();
}

}  // namespace

namespace {

TEST_CASE_TEMPLATE("a writer gets the lock although some reader always holds it", Lock,
                   WriterFirstRwLock, TurnstileRwLock) {
  Lock mu;
  int value = 0;
  std::atomic<bool> written = false;
  std::atomic<int> reading = 0;
  std::vector<std::jthread> readers;
  for (int i = 0; i < 4; ++i) {
    readers.emplace_back([&] {
      while (!written) {
        const std::shared_lock<Lock> lock(mu);
        ++reading;
        CHECK((value == 0 || value == 1));
      }
    });
  }
  while (reading < 100) std::this_thread::yield();
  {
    const std::lock_guard<Lock> lock(mu);
    value = 1;
  }
  written = true;
  readers.clear();
  CHECK(value == 1);
}

/// Takes a lock that the caller may hold already. clang's analysis looks at each function alone.
void read_again(RwMutex& mu) {
  ReadLock inner(mu);
  CHECK(ReadLock::is_held(mu));
}

TEST_CASE("a reader may take the lock again while a writer waits") {
  RwMutex mu;
  RwMutex other;
  std::jthread writer([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) WriteLock lock(mu);
  });
  for (int i = 0; i < 2000; ++i) {
    ReadLock outer(mu);
    ReadLock between(other);
    std::this_thread::yield();
    read_again(mu);
    CHECK(ReadLock::is_held(mu));
  }
  CHECK_FALSE(ReadLock::is_held(mu));
  writer.request_stop();
}

}  // namespace

}  // namespace kinf
