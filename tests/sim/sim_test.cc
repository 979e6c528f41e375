// SPDX-License-Identifier: Apache-2.0
// Tests of the simulation itself.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <algorithm>

#include "kinf/base/log.h"
#include "sim/etcd.h"
#include "sim/run.h"
#include "sim/schedule.h"
#include "sim/shrink.h"

namespace kinf::sim {
namespace {

TEST_CASE("the same seed gives the same trace, byte for byte, and other seeds give others") {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    const Outcome once = run_schedule(schedule_of(seed), true);
    CHECK(once.trace.size() > 10000);
    CHECK(once.trace == run_schedule(schedule_of(seed), true).trace);
    CHECK(once.trace != run_schedule(schedule_of(seed + 1), true).trace);
  }
}

TEST_CASE("a recording and a state are written alike by two runs of a seed, too") {
  for (const StorageKind kind : {StorageKind::recording, StorageKind::state}) {
    Schedule schedule = schedule_of(8);
    schedule.plan.client_go = 0;
    schedule.plan.storage = static_cast<int>(kind);
    schedule.steps.insert(schedule.steps.begin() + 400,
                          {{Op::crash, {0, 3}}, {Op::advance, {300}}});
    const Outcome once = run_schedule(schedule, true);
    CHECK(once.broken.value_or("") == "");
    CHECK(once.trace == run_schedule(schedule, true).trace);
  }
}

TEST_CASE("a schedule that was written as text and read again runs alike") {
  const Schedule schedule = schedule_of(7);
  const Result<Schedule> read = parse_schedule("# a comment\n\n" + text_of(schedule));
  REQUIRE(read);
  CHECK(text_of(*read) == text_of(schedule));
  CHECK(run_schedule(*read, true).trace == run_schedule(schedule, true).trace);
}

TEST_CASE("text that is no schedule is an error") {
  CHECK(!parse_schedule("jump 3\n"));
  CHECK(!parse_schedule("put 3\n"));
  CHECK(!parse_schedule("plan seed 3 colour 1\n"));
}

TEST_CASE("a schedule shrinks to the steps and numbers that matter") {
  const auto fails = [](const Schedule& schedule) {
    const auto has = [&](Op op, int least) {
      return std::ranges::any_of(
          schedule.steps, [&](const Step& step) { return step.op == op && step.args[0] >= least; });
    };
    return has(Op::put, 2) && has(Op::remove, 1) && schedule.plan.handlers > 0;
  };
  Schedule schedule = schedule_of(1);
  REQUIRE(fails(schedule));
  const Schedule shortest = shrink(schedule, fails);
  CHECK(shortest.steps.size() == 2);
  CHECK(shortest.plan.handlers == 1);
  CHECK(shortest.plan.clients == 1);
  CHECK(std::ranges::all_of(shortest.steps, [](const Step& step) { return step.args[0] <= 3; }));
}

TEST_CASE("etcd keeps the state of every revision, and a restore drops the newer ones") {
  Etcd etcd;
  etcd.put(0, 5);
  etcd.back_up();
  etcd.put(0, 6);
  etcd.remove(0);
  CHECK(!etcd.state().at(0).exists());
  CHECK(etcd.state_at(etcd.revision() - 1).at(0).value == 6);
  const std::uint32_t uid = etcd.state_at(2).at(0).uid;
  REQUIRE(etcd.restore());
  CHECK(etcd.epoch() == 1);
  CHECK(etcd.revision() == 2);
  CHECK(etcd.state().at(0) == Version{uid, 2, 5});
  CHECK(!etcd.restore());
  etcd.put(1, 1);
  CHECK(etcd.state().at(1).uid > uid);
}

}  // namespace
}  // namespace kinf::sim

int main(int argc, char** argv) {
  kinf::log::set_sink([](std::string_view) {});
  return doctest::Context(argc, argv).run();
}
