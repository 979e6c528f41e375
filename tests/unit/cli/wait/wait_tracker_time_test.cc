// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <thread>

#include "unit/cli/wait/wait_rig.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;
using test::kDone;
using test::WaitRig;
using State = WaitTracker::State;

/// A thread in WaitTracker::wait().
class Waiter {
 public:
  Waiter(WaitRig& rig, Clock::Mono deadline, bool once = false)
      : thread_([&rig, this, deadline, once] {
          state_ = rig.tracker->wait(deadline, once, stop_.get_token());
        }) {}
  State end() {
    thread_.join();
    return state_;
  }
  void stop() { stop_.request_stop(); }

 private:
  std::stop_source stop_;
  State state_ = State::waiting;
  std::jthread thread_;
};

TEST_CASE("waiting ends when the goal is met, at the deadline, or on stop") {
  WaitRig rig({kDone});
  rig.start("a");
  rig.sync();
  {
    Waiter stopped(rig, Clock::kNever);
    rig.clock.wait_for_sleepers(1);
    stopped.stop();
    CHECK(stopped.end() == State::waiting);
  }
  {
    Waiter met(rig, rig.clock.now() + 10s);
    rig.clock.wait_for_sleepers(1);
    rig.add("a", "done");
    CHECK(met.end() == State::met);
  }
  WaitRig late({kDone});
  late.start("a");
  late.sync();
  Waiter waiter(late, late.clock.now() + 10s);
  late.clock.wait_for_sleepers(1);
  late.clock.advance(10s);
  CHECK(waiter.end() == State::timed_out);
  CHECK(late.add("a", "done") == State::timed_out);
}

TEST_CASE("a wait of one check ends when the lists are complete") {
  WaitRig rig({kDone});
  rig.start("a");
  Waiter waiter(rig, rig.clock.now() + 10s, true);
  rig.clock.wait_for_sleepers(1);
  rig.sync();
  CHECK(waiter.end() == State::timed_out);
  CHECK(rig.tracker->is_complete());
}

TEST_CASE("--for-duration must pass without a break") {
  WaitRig rig({kDone});
  rig.goal.duration = 10s;
  rig.start("a");
  rig.sync();
  CHECK(rig.add("a", "done") == State::waiting);
  rig.clock.advance(9s);
  CHECK(rig.tracker->held() == 9s);
  CHECK(rig.update("a", "new") == State::waiting);
  CHECK_FALSE(rig.tracker->held().has_value());
  CHECK(rig.update("a", "done") == State::waiting);
  rig.clock.advance(9s);
  CHECK(rig.look() == State::waiting);
  rig.clock.advance(1s);
  CHECK(rig.look() == State::met);
}

TEST_CASE("a change after --for-duration has passed comes too late to break it") {
  WaitRig rig({kDone});
  rig.goal.duration = 10s;
  rig.start("a");
  rig.sync();
  rig.add("a", "done");
  rig.clock.advance(10s);
  CHECK(rig.update("a", "new") == State::met);
}

TEST_CASE("a thread that waits wakes when --for-duration has passed") {
  WaitRig rig({kDone});
  rig.goal.duration = 10s;
  rig.start("a");
  rig.sync();
  rig.add("a", "done");
  Waiter waiter(rig, rig.clock.now() + 60s);
  rig.clock.wait_for_sleepers(1);
  rig.clock.advance(10s);
  CHECK(waiter.end() == State::met);
}

TEST_CASE("with --for-duration, a deletion must last") {
  WaitRig rig({"delete"});
  rig.goal.duration = 10s;
  rig.start("a");
  rig.sync();
  rig.clock.advance(5s);
  CHECK(rig.add("a", "new") == State::waiting);
  CHECK(rig.remove("a") == State::waiting);
  rig.clock.advance(10s);
  CHECK(rig.look() == State::met);
}

}  // namespace
}  // namespace kinf
