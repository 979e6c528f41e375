// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/faults/byte_relay.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace kinf::sandbox {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const Clock::Mono kStart{seconds(1000)};

TEST_CASE("a fault waits for a connection, then for its time, and comes once") {
  ByteFaultPlan plan;
  plan.add(*parse_fault("cut"));
  CHECK(plan.due(kStart, false).empty());
  CHECK(plan.next() == Clock::kNever);
  CHECK(plan.due(kStart + seconds(9), true).empty());
  CHECK(plan.next() == kStart + seconds(10));
  CHECK(plan.due(kStart + seconds(10), true) == std::vector{FaultKind::cut});
  CHECK(plan.due(kStart + seconds(99), true).empty());
}

TEST_CASE("a fault that is due at once does not wait for a connection") {
  ByteFaultPlan plan;
  plan.add(*parse_fault("reset:after=0s"));
  CHECK(plan.due(kStart, false) == std::vector{FaultKind::reset});
}

TEST_CASE("a fault with a period comes again, without making up for what was missed") {
  ByteFaultPlan plan;
  plan.add(*parse_fault("stall:every=2s"));
  CHECK(plan.due(kStart, true).empty());
  CHECK(plan.due(kStart + seconds(7), true).size() == 1);
  CHECK(plan.next() == kStart + seconds(8));
  plan.add(*parse_fault("none"));
  CHECK(plan.due(kStart + seconds(20), true).empty());
}

TEST_CASE("random faults depend on the seed alone") {
  const auto draws = [](std::string_view text) {
    ByteFaultPlan plan;
    plan.add(*parse_fault(text));
    std::vector<int> result;
    for (int i = 0; i < 200; ++i) {
      const auto kind = plan.random_fault();
      result.push_back(kind ? static_cast<int>(*kind) : -1);
    }
    return result;
  };
  CHECK(draws("random:seed=7:rate=0.2") == draws("random:seed=7:rate=0.2"));
  CHECK(draws("random:seed=7:rate=0.2") != draws("random:seed=8:rate=0.2"));
  const auto seven = draws("random:seed=7:rate=0.2");
  const auto hits = std::ranges::count_if(seven, [](int kind) { return kind >= 0; });
  CHECK(hits > 20);
  CHECK(hits < 60);
}

TEST_CASE("random faults are drawn once a second, from the first connection on") {
  ByteFaultPlan plan;
  plan.add(*parse_fault("random:seed=7:rate=1"));
  CHECK_FALSE(plan.tick(kStart));
  CHECK(plan.due(kStart, true).empty());
  CHECK_FALSE(plan.tick(kStart + milliseconds(999)));
  CHECK(plan.tick(kStart + seconds(5)));
  CHECK(plan.next() == kStart + seconds(6));
}

TEST_CASE(
    "slow and latency hold for all connections until all faults end; protocol faults are ignored") {
  ByteFaultPlan plan;
  plan.add(*parse_fault("slow:2KBps"));
  plan.add(*parse_fault("latency:50ms"));
  CHECK(plan.link().bytes_per_second == 2000);
  CHECK(plan.link().latency == milliseconds(50));
  plan.add(*parse_fault("gone"));
  CHECK(plan.due(kStart, true).empty());
  CHECK(plan.next() == Clock::kNever);
  plan.add(*parse_fault("none"));
  CHECK(plan.link().bytes_per_second == 0);
  CHECK(plan.link().latency == milliseconds(0));
}

TEST_CASE("several faults can be due at once") {
  ByteFaultPlan plan;
  plan.add(*parse_fault("cut:after=3s"));
  plan.add(*parse_fault("stall:after=2s"));
  CHECK(plan.due(kStart, true).empty());
  CHECK(plan.next() == kStart + seconds(2));
  CHECK(plan.due(kStart + seconds(3), true) == std::vector{FaultKind::cut, FaultKind::stall});
}

}  // namespace
}  // namespace kinf::sandbox
