// SPDX-License-Identifier: Apache-2.0
// The handlers of a SharedInformer: when they come and go, their resyncs and exceptions.
#include <doctest/doctest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include "fakes/fake_lister_watcher.h"
#include "fakes/pumped_informer.h"
#include "fakes/recording_handler.h"
#include "fakes/running_informer.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;
using test::RecordingHandler;
using test::RunningInformer;
using Texts = std::vector<std::string>;
using PumpedFake = test::PumpedInformer<test::FakeListerWatcher>;

TEST_CASE("G7: a late handler gets each object once, then the changes") {
  RunningInformer running;
  running.source.modify("a");
  RecordingHandler late;
  const auto registration = running.informer.add_event_handler(late).value();
  CHECK_FALSE(registration.has_synced());
  running.settle();
  CHECK(late.take_sorted() ==
        Texts{"ADDED a@1 initial", "ADDED b@2 initial", "MODIFIED a@1->3", "SYNCED 2"});
  CHECK(registration.has_synced());
}

TEST_CASE("G9: a removed handler gets no more changes, the others get all") {
  RunningInformer running;
  RecordingHandler other;
  auto registration = running.informer.add_event_handler(other).value();
  running.settle();
  other.take();
  registration.remove();
  registration.remove();
  running.source.add("c");
  running.settle();
  CHECK(other.take().empty());
  CHECK(running.handler.take() == Texts{"ADDED c@3"});
  CHECK(registration.has_synced());
}

TEST_CASE("G11: one handler can be registered twice") {
  RunningInformer running;
  const auto second = running.informer.add_event_handler(running.handler).value();
  running.settle();
  running.handler.take();
  running.source.add("c");
  running.settle();
  CHECK(running.handler.take() == Texts{"ADDED c@3", "ADDED c@3"});
}

TEST_CASE("G15: a stopped informer takes no handler") {
  RunningInformer running;
  running.informer.finish();
  RecordingHandler late;
  const auto registration = running.informer.add_event_handler(late);
  REQUIRE_FALSE(registration);
  CHECK(registration.error().kind == ErrorKind::stopped);
}

TEST_CASE("G20: each handler is reminded at its own period, and one without a period never") {
  PumpedFake pumped([] {
    InformerOptions options;
    options.resync_period = 1s;
    return options;
  }());
  pumped.source.add("a");
  RecordingHandler never;
  RecordingHandler two;
  RecordingHandler three;
  const auto r0 = pumped.informer.add_event_handler(never, {.resync = 0s}).value();
  const auto r2 = pumped.informer.add_event_handler(two, {.resync = 2s}).value();
  const auto r3 = pumped.informer.add_event_handler(three, {.resync = 3s}).value();
  pumped.start();
  for (RecordingHandler* handler : {&never, &two, &three}) handler->take();
  const Texts reminder = {"MODIFIED a@1->1 (resync)"};
  pumped.advance(2s);
  CHECK(two.take() == reminder);
  CHECK(three.take().empty());
  pumped.advance(1s);
  CHECK(two.take().empty());
  CHECK(three.take() == reminder);
  pumped.advance(1s);
  CHECK(two.take() == reminder);
  CHECK(three.take().empty());
  CHECK(never.take().empty());
}

TEST_CASE("each handler is reminded at its own period, whenever it was added") {
  struct Timed final : EventHandler {
    explicit Timed(Clock& clock_in) : clock(clock_in), start(clock_in.now()) {}
    void on_add(const Change&) override {}
    void on_update(const Change& change) override {
      CHECK(change.type == ChangeType::resync);
      times.push_back((clock.now() - start) / 1ms);
    }
    void on_delete(const Change&) override {}
    Clock& clock;
    const Clock::Mono start;
    std::vector<long> times;
  };
  InformerOptions options;
  options.resync_period = 2s;
  PumpedFake pumped(options);
  pumped.source.add("a");
  Timed two(pumped.clock);
  Timed three(pumped.clock);
  Timed late(pumped.clock);
  const auto r2 = pumped.informer.add_event_handler(two).value();
  const auto r3 = pumped.informer.add_event_handler(three, {.resync = 3s}).value();
  pumped.start();
  pumped.advance(700ms);
  const auto r_late = pumped.informer.add_event_handler(late, {.resync = 5s}).value();
  pumped.advance(12300ms);
  CHECK(two.times == std::vector<long>{2000, 4000, 6000, 8000, 10000, 12000});
  CHECK(three.times == std::vector<long>{3000, 6000, 9000, 12000});
  CHECK(late.times == std::vector<long>{5700, 10700});
}

TEST_CASE("G22: the shortest period before the start is the shortest possible one") {
  PumpedFake pumped([] {
    InformerOptions options;
    options.resync_period = 12h;
    return options;
  }());
  RecordingHandler handler;
  const auto add = [&](Clock::Duration period) {
    return pumped.informer.add_event_handler(handler, {.resync = period}).value();
  };
  const auto zero = add(0s);
  const auto minute = add(60s);
  const auto less = add(55s);
  const auto five = add(5s);
  CHECK(zero.resync_period() == 0s);
  CHECK(minute.resync_period() == 60s);
  CHECK(less.resync_period() == 55s);
  CHECK(five.resync_period() == 5s);
  pumped.start();
  CHECK(add(10ms).resync_period() == 5s);
}

TEST_CASE("E21: lists do not delay a reminder") {
  RunningInformer running([] {
    InformerOptions options;
    options.resync_period = 10s;
    return options;
  }());
  for (int i = 0; i < 4; ++i) {
    running.advance(2s);
    running.source.expire();
    running.source.cut();
  }
  running.advance(3s);
  CHECK(running.handler.take_sorted() ==
        Texts{"MODIFIED a@1->1 (resync)", "MODIFIED b@2->2 (resync)"});
}

TEST_CASE("G24: a handler that throws loses only that change, and still syncs") {
  struct Throwing final : EventHandler {
    void on_add(const Change&) override {
      ++calls;
      throw std::runtime_error("broken handler");
    }
    void on_update(const Change&) override { throw 7; }
    void on_delete(const Change&) override {}
    int calls = 0;
  };
  RunningInformer running;
  Throwing throwing;
  const auto registration = running.informer.add_event_handler(throwing).value();
  running.settle();
  CHECK(throwing.calls == 2);
  CHECK(registration.has_synced());
  running.source.modify("a");
  running.source.add("c");
  running.settle();
  CHECK(throwing.calls == 3);
  CHECK(running.handler.take() == Texts{"MODIFIED a@1->3", "ADDED c@4"});
  CHECK(running.informer.stats().handler_exceptions == 4);
}

}  // namespace
}  // namespace kinf
