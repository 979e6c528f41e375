// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/sync.h"

#include <doctest/doctest.h>

#include <thread>

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
}  // namespace kinf
