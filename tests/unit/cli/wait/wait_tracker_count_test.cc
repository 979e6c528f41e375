// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "unit/cli/wait/wait_rig.h"

namespace kinf {
namespace {

using test::WaitRig;
using State = WaitTracker::State;

TEST_CASE("--count compares the number of objects that satisfy the condition") {
  WaitRig rig({"jsonpath=.state=done"});
  rig.goal.count = *CountRule::parse(">=2");
  rig.start();
  rig.initial("a", "done");
  rig.initial("b", "new");
  CHECK(rig.sync() == State::waiting);
  CHECK(rig.add("c", "new") == State::waiting);
  CHECK(rig.update("b", "done") == State::met);
  CHECK(rig.names() == "a+ b+ c");
}

TEST_CASE("a count of 0 is met by an empty list") {
  WaitRig rig({"create"});
  rig.goal.count = *CountRule::parse("0");
  rig.start();
  rig.initial("a", "new");
  CHECK(rig.sync() == State::waiting);
  CHECK(rig.remove("a") == State::met);
}

TEST_CASE("all clusters must have their lists") {
  WaitRig rig({"create"});
  rig.tracker.emplace(rig.goal, 2, rig.clock, std::stop_token());
  WaitTracker& tracker = *rig.tracker;
  rig.handler = &tracker.add({0, 0, &test::kPods, "one", "default", ""});
  tracker.all_added(0);
  rig.initial("a", "new");
  CHECK(rig.sync() == State::waiting);
  EventHandler& second = tracker.add({1, 0, &test::kPods, "two", "default", "b"});
  tracker.all_added(1);
  second.on_synced({});
  CHECK(tracker.state() == State::waiting);
  CHECK(rig.names() == "a+ b");
  tracker.leave_out(1);
  CHECK(tracker.state() == State::met);
  CHECK(rig.names() == "a+");
}

TEST_CASE("a cluster that cannot even be asked is left out") {
  for (const bool has_informer : {false, true}) {
    WaitRig rig({"create"});
    rig.tracker.emplace(rig.goal, 2, rig.clock, std::stop_token());
    rig.handler = &rig.tracker->add({0, 0, &test::kPods, "one", "default", ""});
    rig.tracker->all_added(0);
    rig.initial("a", "new");
    rig.sync();
    if (has_informer) rig.tracker->add({1, 0, &test::kPods, "two", "default", "b"});
    CHECK(rig.tracker->state() == State::waiting);
    rig.tracker->leave_out(1);
    CHECK(rig.tracker->state() == State::met);
  }
}

}  // namespace
}  // namespace kinf
