// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/interrupt.h"

#include <doctest/doctest.h>

#include <thread>

namespace kinf {
namespace {

TEST_CASE("wake ends the wait of the current token, and the next token is a new one") {
  Interrupt interrupt;
  const std::stop_token first = interrupt.token();
  CHECK_FALSE(first.stop_requested());
  interrupt.wake();
  CHECK(first.stop_requested());
  CHECK_FALSE(interrupt.token().stop_requested());
}

TEST_CASE("wake reaches a thread that waits with the token") {
  Interrupt interrupt;
  Mutex mu;
  CondVar changed;
  const std::stop_token token = interrupt.token();
  std::jthread waiting([&] {
    MutexLock lock(mu);
    while (!token.stop_requested()) changed.wait(mu, token);
  });
  interrupt.wake();
  waiting.join();
  CHECK(token.stop_requested());
}

}  // namespace
}  // namespace kinf
