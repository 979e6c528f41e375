// SPDX-License-Identifier: Apache-2.0
// Calls of an informer before its start, while it runs and after its end.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "fakes/fake_lister_watcher.h"
#include "fakes/pumped_informer.h"
#include "fakes/recording_handler.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;
using test::RecordingHandler;
using Texts = std::vector<std::string>;
using PumpedFake = test::PumpedInformer<test::FakeListerWatcher>;

Result<std::vector<std::string>> by_name(const Object& object) {
  return std::vector<std::string>{std::string(object.name())};
}

TEST_CASE("A13: indices can be added until the informer has stopped") {
  PumpedFake pumped;
  pumped.source.add("a");
  CHECK(pumped.informer.add_indexers({{"before", by_name}}));
  pumped.start();
  CHECK(pumped.informer.add_indexers({{"while", by_name}}));
  CHECK(pumped.informer.indexer().index_keys("while", "a").value() == Texts{"default/a"});
  pumped.informer.finish();
  const Result<void> late = pumped.informer.add_indexers({{"after", by_name}});
  REQUIRE_FALSE(late);
  CHECK(late.error().message == "cannot add the index: the informer has stopped");
  CHECK_FALSE(pumped.informer.indexer().get_indexers().contains("after"));
}

TEST_CASE("G8: a registration has synced when its handler has handled the initial objects") {
  PumpedFake pumped;
  RecordingHandler early;
  const auto first = pumped.informer.add_event_handler(early).value();
  CHECK_FALSE(first.has_synced());
  pumped.source.add("a");
  pumped.start();
  CHECK(first.has_synced());
  RecordingHandler late;
  const auto second = pumped.informer.add_event_handler(late).value();
  CHECK_FALSE(second.has_synced());
  pumped.settle();
  CHECK(second.has_synced());
}

TEST_CASE("G12: a handler can be removed twice, and after the informer has stopped") {
  PumpedFake pumped;
  RecordingHandler handler;
  auto registration = pumped.informer.add_event_handler(handler).value();
  pumped.start();
  registration.remove();
  registration.remove();
  CHECK(registration.has_synced());
  auto other = pumped.informer.add_event_handler(handler).value();
  pumped.informer.finish();
  other.remove();
  CHECK_FALSE(other.has_synced());
}

TEST_CASE("G14, G16: an informer starts once and stops once") {
  PumpedFake pumped;
  CHECK_FALSE(pumped.informer.is_stopped());
  CHECK_FALSE(pumped.informer.has_synced());
  pumped.start();
  pumped.start();
  CHECK(pumped.source.lists() == 1);
  CHECK_FALSE(pumped.informer.is_stopped());
  pumped.informer.finish();
  CHECK(pumped.informer.is_stopped());
  CHECK(pumped.informer.has_synced());
  CHECK(pumped.informer.begin().error().kind == ErrorKind::stopped);
  CHECK(pumped.informer.start().error().kind == ErrorKind::stopped);
  CHECK(pumped.informer.is_stopped());
  CHECK(pumped.source.lists() == 1);
}

TEST_CASE("G23: without a default resync period a handler gets its own, in client_go none") {
  for (const Behaviour behaviour : {Behaviour::strict, Behaviour::client_go}) {
    InformerOptions options;
    options.behaviour = behaviour;
    PumpedFake pumped(options);
    RecordingHandler handler;
    HandlerOptions often;
    often.resync = 5s;
    const auto registration = pumped.informer.add_event_handler(handler, often).value();
    const bool strict = behaviour == Behaviour::strict;
    CHECK(registration.resync_period() == (strict ? 5s : 0s));
    pumped.source.add("a");
    pumped.start();
    handler.take();
    pumped.advance(12s);
    CHECK(handler.take().size() == (strict ? 2 : 0));
  }
}

TEST_CASE("reminders pass through every kind of queue and change nothing") {
  for (const QueueKind queue :
       {QueueKind::in_order_atomic, QueueKind::in_order, QueueKind::delta}) {
    InformerOptions options;
    options.queue = queue;
    options.resync_period = 10s;
    PumpedFake pumped(options);
    RecordingHandler handler;
    const auto registration = pumped.informer.add_event_handler(handler).value();
    pumped.source.add("a");
    pumped.start();
    const ObjectPtr stored = pumped.informer.indexer().get_by_key("default/a");
    handler.take();
    pumped.advance(10s);
    CHECK(handler.take() == Texts{"MODIFIED a@1->1 (resync)"});
    CHECK(pumped.informer.indexer().get_by_key("default/a") == stored);
  }
}

TEST_CASE(
    "a wait for the initial list ends at its deadline, on stop and at the end, with a reason") {
  PumpedFake pumped;
  const Result<void> late = pumped.informer.wait_for_sync(pumped.clock.now());
  REQUIRE_FALSE(late);
  CHECK(late.error().kind == ErrorKind::unavailable);
  std::stop_source stop;
  stop.request_stop();
  CHECK(pumped.informer.wait_for_sync(Clock::kNever, stop.get_token()).error().kind ==
        ErrorKind::stopped);
  pumped.informer.finish();
  CHECK(pumped.informer.wait_for_sync(Clock::kNever).error().kind == ErrorKind::stopped);
}

TEST_CASE("C20: deltas that wait for the processor are counted") {
  PumpedFake pumped;
  pumped.start();
  pumped.advance(2s);
  for (const char* name : {"a", "b", "c"}) pumped.source.add(name);
  CHECK(pumped.informer.stats().objects == 0);
  pumped.settle();
  CHECK(pumped.informer.stats().queued == 0);
  CHECK(pumped.informer.stats().objects == 3);
  CHECK(pumped.informer.stats().watch_events == 3);
}

TEST_CASE(
    "an informer that steps is not started, and does nothing before begin() and after finish()") {
  PumpedFake pumped;
  CHECK_FALSE(pumped.informer.step().moved);
  CHECK(pumped.source.lists() == 0);
  pumped.start();
  const Result<void> started = pumped.informer.start();
  REQUIRE_FALSE(started);
  CHECK(started.error().kind == ErrorKind::usage);
  CHECK(started.error().message == "the informer for pods already runs through step()");
  pumped.informer.finish();
  pumped.informer.finish();
  const StepResult late = pumped.informer.step();
  CHECK_FALSE(late.moved);
  CHECK(late.wake == Clock::kNever);
  CHECK(pumped.source.lists() == 1);
}

}  // namespace
}  // namespace kinf
