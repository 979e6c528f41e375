// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/backoff.h"

#include <doctest/doctest.h>

#include "kinf/base/random.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;

TEST_CASE("without jitter, delays double up to the cap") {
  Random random(1);
  BackoffOptions options;
  options.jitter = 0;
  Backoff backoff(options, random);
  for (const auto expected : {800ms, 1600ms, 3200ms, 6400ms, 12800ms, 25600ms, 30000ms, 30000ms}) {
    CHECK(backoff.next() == expected);
  }
}

TEST_CASE("jitter shortens a delay by at most its share and never lengthens it") {
  Random random(7);
  Backoff backoff({}, random);
  for (int i = 0; i < 6; ++i) backoff.next();
  for (int i = 0; i < 1000; ++i) {
    const auto delay = backoff.next();
    CHECK(delay <= 30s);
    CHECK(delay >= 15s);
  }
}

TEST_CASE("reset() starts again with the first delay") {
  Random random(1);
  Backoff backoff({}, random);
  for (int i = 0; i < 10; ++i) backoff.next();
  backoff.reset();
  CHECK(backoff.next() <= 800ms);
}

TEST_CASE("the same seed gives the same delays") {
  Random one(42), two(42);
  Backoff first({}, one), second({}, two);
  for (int i = 0; i < 20; ++i) CHECK(first.next() == second.next());
}

}  // namespace
}  // namespace kinf
