// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/rollout.h"

#include <doctest/doctest.h>

using namespace kinf::sandbox;

namespace {

using Sizes = std::vector<std::int64_t>;

RolloutLimits limits(const Json& surge, const Json& unavailable, std::int64_t replicas) {
  const Json rolling = {{"maxSurge", surge}, {"maxUnavailable", unavailable}};
  return rollout_limits(
      {{"spec", {{"strategy", {{"type", "RollingUpdate"}, {"rollingUpdate", rolling}}}}}},
      replicas);
}

}  // namespace

TEST_CASE("percentages are rounded up for the surge and down for unavailable pods") {
  CHECK(limits("25%", "25%", 10).surge == 3);
  CHECK(limits("25%", "25%", 10).unavailable == 2);
  CHECK(limits(2, 1, 10).surge == 2);
  CHECK(limits(0, "1%", 10).unavailable == 1);  // otherwise no update were possible
  CHECK(limits("damaged", "%", 4).surge == 0);
  CHECK(rollout_limits({{"spec", {{"strategy", {{"type", "Recreate"}}}}}}, 4).unavailable == 0);
}

TEST_CASE("the new set grows as far as the surge permits") {
  CHECK(new_set_size(4, {1, 1}, {0, 0}, {{4, 4}}) == 1);
  CHECK(new_set_size(4, {1, 1}, {1, 0}, {{3, 3}}) == 2);
  CHECK(new_set_size(4, {1, 1}, {1, 1}, {{4, 4}}) == 1);
  CHECK(new_set_size(4, {1, 1}, {6, 6}, {}) == 4);
  CHECK(new_set_size(3, {0, 1}, {0, 0}, {}) == 3);
}

TEST_CASE("old sets shrink as far as enough pods stay available") {
  CHECK(old_set_sizes(4, {1, 1}, {1, 0}, {{4, 4}}) == Sizes{3});
  CHECK(old_set_sizes(4, {1, 0}, {1, 0}, {{4, 4}}) == Sizes{4});
  CHECK(old_set_sizes(4, {1, 0}, {1, 1}, {{4, 4}}) == Sizes{3});
  CHECK(old_set_sizes(4, {0, 0}, {4, 4}, {{1, 1}, {2, 2}}) == Sizes{0, 0});
}

TEST_CASE("pods that are not available go first") {
  CHECK(old_set_sizes(4, {1, 0}, {1, 1}, {{2, 2}, {2, 0}}) == Sizes{2, 1});
}

TEST_CASE("a new total is distributed in proportion") {
  CHECK(scaled_in_proportion({5}, 2) == Sizes{2});
  CHECK(scaled_in_proportion({6, 4}, 20) == Sizes{12, 8});
  CHECK(scaled_in_proportion({2, 1}, 10) == Sizes{6, 4});
  CHECK(scaled_in_proportion({}, 3).empty());
}
