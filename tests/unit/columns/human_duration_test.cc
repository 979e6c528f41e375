// SPDX-License-Identifier: Apache-2.0
#include "kinf/columns/human_duration.h"

#include <doctest/doctest.h>

using kinf::human_duration;
using kinf::short_human_duration;
using namespace std::chrono_literals;

TEST_CASE("an age has two units while the smaller one still matters") {
  CHECK(human_duration(119s) == "119s");
  CHECK(human_duration(120s) == "2m");
  CHECK(human_duration(125s) == "2m5s");
  CHECK(human_duration(7h + 59min) == "7h59m");
  CHECK(human_duration(24h * 3 + 5h) == "3d5h");
  CHECK(human_duration(24h * 365 * 3) == "3y");
}

TEST_CASE("a clock that runs a little behind gives no negative age") {
  CHECK(human_duration(-1s) == "0s");
  CHECK(human_duration(-2s) == "<invalid>");
  CHECK(short_human_duration(-1s) == "0s");
}

TEST_CASE("a short duration has one unit") {
  CHECK(short_human_duration(119s) == "1m");
  CHECK(short_human_duration(26h) == "1d");
}
