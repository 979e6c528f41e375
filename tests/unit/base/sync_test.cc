// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/sync.h"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace kinf {
namespace {

TEST_CASE("a writer gets the lock although readers never let go of it together") {
  RwMutex mu;
  int value = 0;
  std::atomic<bool> written = false;
  std::atomic<int> reading = 0;
  std::vector<std::jthread> readers;
  for (int i = 0; i < 4; ++i) {
    readers.emplace_back([&] {
      while (!written) {
        ReadLock lock(mu);
        ++reading;
        CHECK((value == 0 || value == 1));
      }
    });
  }
  while (reading < 100) std::this_thread::yield();
  {
    WriteLock lock(mu);
    value = 1;
  }
  written = true;
  readers.clear();
  CHECK(value == 1);
}

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
}  // namespace kinf
