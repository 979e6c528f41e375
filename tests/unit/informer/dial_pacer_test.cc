// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/dial_pacer.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

using namespace std::chrono_literals;

TEST_CASE("a pacer allows a burst, then one request per interval, and recovers") {
  DialPacer pacer(3, 400ms);
  Clock::Mono now{1h};
  for (int i = 0; i < 3; ++i) {
    CHECK(pacer.earliest(now) == now);
    pacer.dialled(now);
  }
  CHECK(pacer.earliest(now) == now + 400ms);
  now += 400ms;
  pacer.dialled(now);
  CHECK(pacer.earliest(now) == now + 400ms);
  now += 1200ms;
  for (int i = 0; i < 3; ++i) {
    CHECK(pacer.earliest(now) == now);
    pacer.dialled(now);
  }
  CHECK(pacer.earliest(now) > now);
}

}  // namespace
}  // namespace kinf
