// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/wait/wait_tracker.h"

#include <doctest/doctest.h>

#include "kinf/base/log.h"
#include "kinf/cli/wait/wait_report.h"
#include "unit/cli/wait/wait_rig.h"

namespace kinf {
namespace {

using test::kDone;
using test::WaitRig;
using State = WaitTracker::State;

TEST_CASE("a named object is awaited until the condition holds") {
  WaitRig rig({kDone});
  rig.start("a");
  CHECK(rig.sync() == State::waiting);
  CHECK(rig.names() == "a");
  CHECK(rig.add("a", "new") == State::waiting);
  CHECK(rig.update("a", "done") == State::met);
  CHECK(rig.names() == "a+");
}

TEST_CASE("nothing is met before the initial lists are complete") {
  WaitRig rig({kDone});
  rig.start();
  CHECK(rig.initial("a", "done") == State::waiting);
  CHECK(rig.initial("b", "done") == State::waiting);
  CHECK(rig.sync() == State::met);
}

TEST_CASE("all objects must satisfy the condition at the same time") {
  WaitRig rig({kDone});
  rig.start();
  rig.initial("a", "done");
  rig.initial("b", "new");
  CHECK(rig.sync() == State::waiting);
  CHECK(rig.update("a", "new") == State::waiting);
  CHECK(rig.update("b", "done") == State::waiting);
  CHECK(rig.names() == "a b+");
  CHECK(rig.update("a", "done") == State::met);
}

TEST_CASE("a deleted object is no longer awaited, a new one is") {
  WaitRig rig({kDone});
  rig.start();
  rig.initial("a", "new");
  rig.initial("b", "done");
  rig.sync();
  CHECK(rig.add("c", "new") == State::waiting);
  CHECK(rig.remove("a") == State::waiting);
  CHECK(rig.names() == "b+ c");
  CHECK(rig.remove("c") == State::met);
}

TEST_CASE("at least one object must exist, except for a deletion") {
  WaitRig some({"create"});
  some.start();
  CHECK(some.sync() == State::waiting);
  CHECK(some.add("a", "new") == State::met);
  WaitRig none({"delete"});
  none.start();
  CHECK(none.sync() == State::met);
}

TEST_CASE("a named object of an unknown namespace is awaited") {
  WaitRig rig({"jq=.state == \"up\""});
  rig.tracker.emplace(rig.goal, 1, rig.clock, std::stop_token());
  EventHandler& other = rig.tracker->add({0, 0, &test::kPods, "", "", "b"});
  rig.handler = &rig.tracker->add({0, 1, &test::kPods, "", "", "a"});
  rig.tracker->all_added(0);
  other.on_synced({});
  rig.sync();
  CHECK(rig.add("a", "up") == State::waiting);
  rig.handler = &other;
  CHECK(rig.add("b", "up") == State::met);
}

TEST_CASE("the end of all changes ends the wait") {
  WaitRig rig({"jq=.state == \"up\""});
  rig.start("a");
  rig.sync();
  CHECK(rig.tracker->end() == State::timed_out);
  CHECK(rig.add("a", "up") == State::timed_out);
  WaitRig met({"jq=.state == \"up\""});
  met.start("a");
  met.sync();
  met.add("a", "up");
  CHECK(met.tracker->end() == State::met);
}

TEST_CASE("a named object that never existed counts as deleted") {
  WaitRig rig({"delete"});
  rig.start("a");
  CHECK(rig.sync() == State::met);
  CHECK_FALSE(rig.tracker->objects().front().last);
}

TEST_CASE("a deletion counts although the name is used again") {
  WaitRig rig({"delete"});
  rig.start();
  rig.initial("a", "1");
  rig.initial("b", "1");
  rig.sync();
  CHECK(rig.remove("a") == State::waiting);
  CHECK(rig.add("a", "2") == State::waiting);
  CHECK(rig.add("c", "1") == State::waiting);  // was not there at the start
  CHECK(rig.names() == "a+ b");
  CHECK(rig.remove("b") == State::met);
}

TEST_CASE("with a deletion, other conditions count once they have held") {
  WaitRig rig({kDone, "delete"});
  rig.start("a");
  rig.sync();
  CHECK(rig.add("a", "done") == State::waiting);
  CHECK(rig.update("a", "new") == State::waiting);
  CHECK(rig.remove("a") == State::met);
}

TEST_CASE("--any needs one condition of each object") {
  WaitRig rig({kDone, "jsonpath=.state=failed"});
  rig.goal.any = true;
  rig.start();
  rig.initial("a", "failed");
  rig.initial("b", "new");
  CHECK(rig.sync() == State::waiting);
  CHECK(rig.update("b", "done") == State::met);
}

TEST_CASE("several conditions must hold together, with --ever one after the other") {
  for (const bool ever : {false, true}) {
    WaitRig rig({kDone, "jsonpath=.state=failed"});
    rig.goal.ever = ever;
    rig.start("a");
    rig.sync();
    rig.add("a", "done");
    CHECK(rig.update("a", "failed") == (ever ? State::met : State::waiting));
  }
}

TEST_CASE("--ever also counts an object that was deleted since") {
  WaitRig rig({kDone});
  rig.goal.ever = true;
  rig.start();
  rig.initial("a", "done");
  rig.initial("b", "new");
  rig.sync();
  CHECK(rig.remove("a") == State::waiting);
  CHECK(rig.names() == "a+ b");
  CHECK(rig.update("b", "done") == State::met);
}

TEST_CASE("--fail-on wins over --for") {
  WaitRig rig({kDone}, {"jsonpath=.state=failed", kDone});
  rig.start("a");
  rig.sync();
  CHECK(rig.add("a", "new") == State::waiting);
  CHECK(rig.update("a", "done") == State::failed);
  CHECK(rig.tracker->failure()->condition->text() == kDone);
  CHECK(rig.tracker->failure()->object.name == "a");
}

TEST_CASE("--fail-on=delete means a deletion during the wait") {
  WaitRig rig({kDone}, {"delete"});
  rig.start("a");
  CHECK(rig.sync() == State::waiting);
  CHECK(rig.add("a", "new") == State::waiting);
  CHECK(rig.remove("a") == State::failed);
}

TEST_CASE("a JSONPath that cannot be compared ends the wait") {
  WaitRig rig({"jsonpath=.list[*]=x"});
  rig.start("a");
  rig.sync();
  CHECK(rig.add("a", "new") == State::broken);
  CHECK(rig.tracker->error()->message == "given jsonpath expression matches more than one value");
}

TEST_CASE("a failure of jq is logged once and does not hold") {
  std::vector<std::string> lines;
  log::set_sink([&](std::string_view line) { lines.emplace_back(line); });
  WaitRig rig({"jq=.state.x"});
  rig.start("a");
  rig.sync();
  CHECK(rig.add("a", "1") == State::waiting);
  CHECK(rig.update("a", "2") == State::waiting);
  log::set_sink({});
  REQUIRE(lines.size() == 1);
  CHECK(lines.front().find("jq=.state.x: pods default/a: ") != std::string::npos);
}

TEST_CASE("changes after the end change nothing") {
  WaitRig rig({kDone}, {"delete"});
  rig.start("a");
  rig.sync();
  CHECK(rig.add("a", "done") == State::met);
  CHECK(rig.remove("a") == State::met);
  CHECK(rig.names() == "a+");
}

TEST_CASE("the progress of a wait names the first object that lacks something") {
  WaitRig rig({kDone});
  rig.start();
  rig.initial("a", "done");
  rig.initial("b", "new");
  rig.initial("c", "new");
  rig.sync();
  const auto progress = [&] {
    return progress_text(*rig.tracker, std::chrono::seconds(12), rig.clock.wall());
  };
  CHECK(progress() == "waiting 12s for pod/b: .state is new (and 1 more)");
  rig.remove("c");
  CHECK(progress() == "waiting 12s for pod/b: .state is new");
  rig.update("b", "done");
  CHECK(progress().empty());
}

}  // namespace
}  // namespace kinf
