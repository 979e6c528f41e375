// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/stages/pod_source.h"

#include <doctest/doctest.h>

#include <thread>

#include "fakes/fake_clock.h"
#include "fakes/object_builder.h"

namespace kinf {
namespace {

struct NoItems final : ListSink {
  void item(ObjectPtr object) override { FAIL(object->name()); }
};

TEST_CASE("the list of a pod source is empty and complete, whatever was added") {
  test::FakeClock clock;
  PodSource source(clock);
  source.add(test::make_object("pod0", "1"));
  NoItems sink;
  const auto page = source.list({}, sink)->poll();
  REQUIRE(page.has_value());
  REQUIRE(page->has_value());
  CHECK((*page)->continue_token.empty());
  CHECK_FALSE((*page)->resource_version.empty());
  CHECK_FALSE(source.supports_watch_list());
}

TEST_CASE("a watch opens, then delivers every pod once in the order of addition") {
  test::FakeClock clock;
  PodSource source(clock);
  source.add(test::make_object("pod0", "1"));
  const auto watch = source.watch({});
  CHECK(std::holds_alternative<WatchOpened>(watch->poll()));
  source.add(test::make_object("pod1", "2"));
  for (const std::string version : {"1", "2"}) {
    const WatchPoll poll = watch->poll();
    REQUIRE(std::holds_alternative<WatchEvent>(poll));
    const WatchEvent& event = std::get<WatchEvent>(poll);
    CHECK(event.type == WatchEventType::added);
    CHECK(event.resource_version == version);
    CHECK(event.object->resource_version() == version);
  }
  CHECK(std::holds_alternative<WatchPending>(watch->poll()));
  CHECK(watch->last_byte() == clock.now());
}

TEST_CASE("waiting ends at once after an addition, a wake-up or stop, and at the deadline") {
  test::FakeClock clock;
  PodSource source(clock);
  source.add(test::make_object("pod0", "1"));
  source.wait(Clock::kNever, {});
  source.wake();
  source.wait(Clock::kNever, {});
  source.wait(clock.now(), {});
  std::stop_source stop;
  stop.request_stop();
  source.wait(Clock::kNever, stop.get_token());
}

TEST_CASE("an addition wakes a thread that waits") {
  test::FakeClock clock;
  PodSource source(clock);
  bool woken = false;
  {
    std::jthread thread([&] {
      source.wait(Clock::kNever, {});
      woken = true;
    });
    clock.wait_for_sleepers(1);
    source.add(test::make_object("pod0", "1"));
  }
  CHECK(woken);
}

}  // namespace
}  // namespace kinf
