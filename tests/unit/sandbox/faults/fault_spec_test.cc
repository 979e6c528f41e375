// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/faults/fault_spec.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "kinf/sandbox/faults/byte_fault_plan.h"

namespace kinf::sandbox {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

FaultSpec parsed(std::string_view text) {
  const auto spec = parse_fault(text);
  REQUIRE_MESSAGE(spec.has_value(), text);
  return *spec;
}

std::string problem(std::string_view text) {
  const auto spec = parse_fault(text);
  REQUIRE_MESSAGE(!spec.has_value(), text);
  CHECK(spec.error().kind == ErrorKind::usage);
  return spec.error().message;
}

TEST_CASE("faults are read with what stands behind their colons") {
  CHECK(parsed("cut").after == seconds(1));
  CHECK_FALSE(parsed("cut").every);
  CHECK(parsed("cut:every=30s").every == seconds(30));
  CHECK(parsed("stall:after=0s").after == seconds(0));
  CHECK(parsed("slow:1KBps").bytes_per_second == 1000);
  CHECK(parsed("slow:2MBps").bytes_per_second == 2'000'000);
  CHECK(parsed("gone").times == 1);
  CHECK(parsed("gone:4").times == 4);
  CHECK(parsed("error:500:3").code == 500);
  CHECK(parsed("error:500:3").times == 3);
  CHECK(parsed("too-many:429:retry-after=2").retry_after == seconds(2));
  CHECK(parsed("too-many:429:2:text").times == 2);
  CHECK(parsed("too-many:429:2:text").as_text);
  CHECK(parsed("deny:secrets").resource == "secrets");
  CHECK(parsed("random:seed=7:rate=0.2").seed == 7);
  CHECK(parsed("random:seed=7:rate=0.2").rate == doctest::Approx(0.2));
  CHECK(parsed("none").kind == FaultKind::none);
}

TEST_CASE("what does not fit a fault is named, with what would") {
  CHECK(problem("fire").starts_with("no fault \"fire\"; there are: cut, reset"));
  CHECK(problem("") == problem(":").substr(0, problem("").size()));
  for (const char* text : {"cut:30s",
                           "cut:every=never",
                           "cut:every=1ms",
                           "cut:every=-1s",
                           "slow",
                           "slow:fast",
                           "slow:0Bps",
                           "gone:0",
                           "gone:x",
                           "error",
                           "error:200",
                           "error:abc",
                           "error:500:0",
                           "too-many:retry-after=x",
                           "no-bookmark-end:2",
                           "deny",
                           "deny:a:b",
                           "random",
                           "random:rate=2",
                           "random:seed=x:rate=0.1",
                           "none:1",
                           "stall:after=",
                           "cut:after=9999999h"}) {
    CHECK_MESSAGE(problem(text).find("it takes") != std::string::npos, text);
  }
}

TEST_CASE("kinds know where they belong") {
  CHECK(is_byte_fault(FaultKind::slow));
  CHECK_FALSE(is_byte_fault(FaultKind::gone));
  CHECK(is_protocol_fault(FaultKind::deny));
  CHECK_FALSE(is_protocol_fault(FaultKind::truncate));
  for (const FaultKind kind : {FaultKind::random, FaultKind::none}) {
    CHECK(is_byte_fault(kind));
    CHECK(is_protocol_fault(kind));
  }
}

const Clock::Mono kStart{seconds(1000)};

TEST_CASE("a strike waits for a connection, then for its time, and comes once") {
  ByteFaultPlan plan;
  plan.add(parsed("cut"));
  CHECK(plan.due(kStart, false).empty());
  CHECK(plan.next() == Clock::kNever);
  CHECK(plan.due(kStart + seconds(9), true).empty());
  CHECK(plan.next() == kStart + seconds(10));
  CHECK(plan.due(kStart + seconds(10), true) == std::vector{FaultKind::cut});
  CHECK(plan.due(kStart + seconds(99), true).empty());
}

TEST_CASE("a strike that is to come at once does not wait for a connection") {
  ByteFaultPlan plan;
  plan.add(parsed("reset:after=0s"));
  CHECK(plan.due(kStart, false) == std::vector{FaultKind::reset});
}

TEST_CASE("strikes with a period come again, without making up for what was missed") {
  ByteFaultPlan plan;
  plan.add(parsed("stall:every=2s"));
  CHECK(plan.due(kStart, true).empty());
  CHECK(plan.due(kStart + seconds(7), true).size() == 1);
  CHECK(plan.next() == kStart + seconds(8));
  plan.add(parsed("none"));
  CHECK(plan.due(kStart + seconds(20), true).empty());
}

TEST_CASE("chance is decided by the seed") {
  const auto draws = [](std::string_view text) {
    ByteFaultPlan plan;
    plan.add(parsed(text));
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

TEST_CASE("chance is asked once a second, from the first connection on") {
  ByteFaultPlan plan;
  plan.add(parsed("random:seed=7:rate=1"));
  CHECK_FALSE(plan.tick(kStart));
  CHECK(plan.due(kStart, true).empty());
  CHECK_FALSE(plan.tick(kStart + milliseconds(999)));
  CHECK(plan.tick(kStart + seconds(5)));
  CHECK(plan.next() == kStart + seconds(6));
}

}  // namespace
}  // namespace kinf::sandbox
