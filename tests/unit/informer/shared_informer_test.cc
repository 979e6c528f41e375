// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/shared_informer.h"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "fakes/fake_lister_watcher.h"
#include "fakes/object_builder.h"
#include "fakes/pumped_informer.h"
#include "fakes/recording_handler.h"
#include "fakes/running_informer.h"
#include "fakes/status_error.h"
#include "kinf/informer/informer_observer.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;
using test::make_object;
using test::RecordingHandler;
using test::RunningInformer;
using test::status_error;
using Texts = std::vector<std::string>;
using PumpedFake = test::PumpedInformer<test::FakeListerWatcher>;

constexpr QueueKind kQueues[] = {QueueKind::in_order_atomic, QueueKind::in_order, QueueKind::delta};

InformerOptions with_queue(QueueKind queue) {
  InformerOptions options;
  options.queue = queue;
  return options;
}

TEST_CASE("a step of one part leaves the work of the other part") {
  PumpedFake pumped;
  pumped.source.add("a");
  CHECK(pumped.informer.begin());
  while (pumped.informer.step(StepPart::reflector).moved) continue;
  CHECK(pumped.informer.stats().queued == 1);
  CHECK(pumped.informer.indexer().size() == 0);
  while (pumped.informer.step(StepPart::processor).moved) continue;
  CHECK(pumped.informer.stats().queued == 0);
  CHECK(pumped.informer.indexer().size() == 1);
}

TEST_CASE("the first list, then every change, then the end") {
  for (const QueueKind queue : kQueues) {
    PumpedFake pumped(with_queue(queue));
    RecordingHandler handler;
    const auto registration = pumped.informer.add_event_handler(handler).value();
    pumped.source.add("a");
    CHECK_FALSE(registration.has_synced());
    pumped.start();
    CHECK(handler.take() == Texts{"ADDED a@1 initial", "SYNCED 1"});
    CHECK(registration.has_synced());
    CHECK(pumped.informer.has_synced());
    pumped.source.modify("a");
    pumped.source.add("b");
    pumped.source.remove("a");
    pumped.settle();
    CHECK(handler.take_sorted() == Texts{"ADDED b@3", "DELETED a@4", "MODIFIED a@1->2"});
    CHECK(handler.idles() > 0);
    pumped.informer.finish();
    CHECK(pumped.informer.is_stopped());
    CHECK(pumped.informer.indexer().size() == 1);
  }
}

TEST_CASE("an empty cluster syncs with every kind of queue") {
  for (const QueueKind queue : kQueues) {
    PumpedFake pumped(with_queue(queue));
    RecordingHandler handler;
    const auto registration = pumped.informer.add_event_handler(handler).value();
    pumped.start();
    CHECK(handler.take() == Texts{"SYNCED 0"});
  }
}

TEST_CASE("D17: an object that vanished while disconnected is deleted, with its last known state") {
  for (const QueueKind queue : kQueues) {
    RunningInformer running(with_queue(queue));
    running.source.disconnect();
    running.source.remove("a");
    running.source.expire();
    running.advance(1s);
    running.source.reconnect();
    running.advance(2min);
    CHECK(running.handler.take() == Texts{"DELETED a@1 unknown (relist)"});
    CHECK(running.informer.indexer().list_keys() == Texts{"default/b"});
  }
}

TEST_CASE("D18: a relist reports only the differences and keeps unchanged objects") {
  struct Observer final : InformerObserver {
    void on_relisted(const Relisted& relisted) override { reports.push_back(relisted); }
    std::vector<Relisted> reports;
  };
  for (const QueueKind queue : kQueues) {
    Observer observer;
    RunningInformer running(with_queue(queue), &observer);
    const ObjectPtr held = running.informer.indexer().get_by_key("default/b");
    running.source.disconnect();
    running.source.modify("a");
    running.source.add("c");
    running.source.expire();
    running.source.reconnect();
    running.advance(1min);
    CHECK(running.handler.take_sorted() == Texts{"ADDED c@4 (relist)", "MODIFIED a@1->3 (relist)"});
    CHECK(running.informer.indexer().get_by_key("default/b") == held);
    REQUIRE(observer.reports.size() == 1);
    CHECK(observer.reports[0].objects == 3);
    CHECK(observer.reports[0].changed == 2);
    CHECK(observer.reports[0].reason == "resourceVersion 2 expired");
  }
}

TEST_CASE("G5: changes missed by a broken watch are updates or additions, not initial ones") {
  RunningInformer running;
  running.source.disconnect();
  running.source.modify("b");
  running.source.add("c");
  running.source.reconnect();
  running.advance(1min);
  CHECK(running.handler.take() == Texts{"MODIFIED b@2->3", "ADDED c@4"});
  CHECK(running.source.lists() == 1);
}

TEST_CASE("G37: another object under the same name is a deletion and an addition") {
  SUBCASE("found by a relist") {
    for (const QueueKind queue : kQueues) {
      RunningInformer running(with_queue(queue));
      running.source.recreate_unseen("a");
      running.source.cut();
      running.advance(1min);
      CHECK(running.handler.take() ==
            Texts{"DELETED a@1 unknown (relist)", "ADDED a@3 recreated (relist)"});
    }
  }
  SUBCASE("seen by the watch") {
    RunningInformer running;
    running.source.remove("a");
    running.source.add("a");
    running.settle();
    CHECK(running.handler.take() == Texts{"DELETED a@3", "ADDED a@4"});
  }
}

TEST_CASE("E30: an older version of an object is refused and counted, and the version stays") {
  RunningInformer running;
  running.source.modify("a");
  running.settle();
  running.handler.take();
  test::ObjectSpec spec;
  spec.name = "a";
  spec.rv = "1";
  spec.uid = "uid-1";
  WatchEvent event;
  event.type = WatchEventType::modified;
  event.object = make_object(spec);
  event.resource_version = "1";
  running.source.send_raw(event);
  running.settle();
  CHECK(running.handler.take().empty());
  CHECK(running.informer.indexer().get_by_key("default/a")->resource_version() == "3");
  CHECK(running.informer.last_sync_resource_version() == "3");
  CHECK(running.informer.stats().version_regressions == 1);
}

TEST_CASE("C18: the deletion of an object never seen is not delivered, but counted") {
  for (const QueueKind queue : {QueueKind::in_order_atomic, QueueKind::in_order}) {
    RunningInformer running(with_queue(queue));
    WatchEvent event;
    event.type = WatchEventType::deleted;
    event.object = make_object("stranger", "7");
    event.resource_version = "7";
    running.source.send_raw(event);
    running.settle();
    CHECK(running.handler.take().empty());
    CHECK(running.informer.stats().unknown_deletions == 1);
  }
}

TEST_CASE("E5: a bookmark changes only the version, and the watch resumes from it") {
  RunningInformer running;
  WatchEvent bookmark;
  bookmark.type = WatchEventType::bookmark;
  bookmark.resource_version = "50";
  running.source.send_raw(bookmark);
  running.settle();
  CHECK(running.handler.take().empty());
  CHECK(running.informer.last_sync_resource_version() == "50");
  running.source.cut();
  running.settle();
  CHECK(running.source.asked().back().options.resource_version == "50");
}

TEST_CASE("E9: a stream that ends normally is resumed from the last version, without a list") {
  struct : InformerObserver {
    void on_watch_closed(const WatchEnded& ended) override { events.push_back(ended.events); }
    std::vector<std::uint64_t> events;
  } observer;
  RunningInformer running({}, &observer);
  running.source.add("c");
  running.settle();
  running.source.cut();
  running.settle();
  CHECK(observer.events == std::vector<std::uint64_t>{1});
  running.source.add("d");
  running.settle();
  CHECK(running.handler.take() == Texts{"ADDED c@3", "ADDED d@4"});
  CHECK(running.source.lists() == 1);
  CHECK(running.source.asked().back().options.resource_version == "3");
}

TEST_CASE("E10: a server that closes after each event is not redialled in a hot loop") {
  RunningInformer running;
  running.source.close_after_each_event(true);
  for (int i = 0; i < 1000; ++i) running.source.add("x" + std::to_string(i));
  const std::size_t before = running.source.asked().size();
  running.advance(60s);
  const std::size_t dials = running.source.asked().size() - before;
  CHECK(dials >= 5);
  CHECK(dials <= 30);
}

TEST_CASE("requests are never more than five within a second") {
  RunningInformer running;
  running.source.close_after_each_event(true);
  for (int i = 0; i < 1000; ++i) running.source.add("x" + std::to_string(i));
  for (int tenths = 0; tenths < 600; tenths += 10) {
    const std::size_t before = running.source.asked().size();
    running.advance(1s);
    CHECK(running.source.asked().size() - before <= 5);
  }
}

struct TellingObserver final : InformerObserver {
  void on_error(const InformerFailure& failure) override { kinds.push_back(failure.error.kind); }
  void on_recovered(Clock::Duration) override { ++recoveries; }
  std::vector<ErrorKind> kinds;
  int recoveries = 0;
};

TEST_CASE("K13: when a type is deleted during a watch, its objects are deleted and it is retried") {
  TellingObserver observer;
  RunningInformer running({}, &observer);
  running.source.remove("a");
  running.source.remove("b");
  running.settle();
  running.source.watch_error(status_error(404, "NotFound"));
  running.source.list_error(status_error(404, ""), 5);
  running.source.cut();
  running.advance(10s);
  CHECK(running.handler.take() == Texts{"DELETED a@3", "DELETED b@4"});
  running.source.add("c");
  running.advance(120s);
  CHECK(running.handler.take() == Texts{"ADDED c@5 (relist)"});
  CHECK(observer.kinds == std::vector<ErrorKind>(6, ErrorKind::not_found));
  CHECK(observer.recoveries == 1);
}

TEST_CASE("permissions that are revoked and restored cost no list and lose nothing") {
  TellingObserver observer;
  RunningInformer running({}, &observer);
  const std::size_t lists = running.source.lists();
  running.source.watch_error(status_error(403, "Forbidden"), 4);
  running.source.cut();
  running.settle();
  running.source.modify("a");
  running.source.remove("b");
  running.advance(60s);
  CHECK(running.handler.take() == Texts{"MODIFIED a@1->3", "DELETED b@4"});
  CHECK(observer.kinds == std::vector<ErrorKind>(4, ErrorKind::forbidden));
  CHECK(observer.recoveries == 1);
  CHECK(running.source.lists() == lists);
}

TEST_CASE("lists that fail or time out are retried until one succeeds") {
  const Error silent(ErrorKind::network, "timed out waiting for a response", NetworkFault::timeout);
  for (const Error& error :
       {status_error(500, "InternalError"), status_error(503, "ServiceUnavailable"),
        status_error(504, "Timeout"), status_error(429, "TooManyRequests"), silent}) {
    TellingObserver observer;
    PumpedFake pumped({}, &observer);
    pumped.source.add("a");
    pumped.source.list_error(error, 3);
    pumped.start();
    CHECK_FALSE(pumped.informer.has_synced());
    pumped.advance(30s);
    CHECK(pumped.informer.has_synced());
    CHECK(observer.kinds == std::vector<ErrorKind>(3, error.kind));
    CHECK(observer.recoveries == 1);
  }
}

TEST_CASE("whatever the server answers, requests stay a few per second") {
  for (const bool watch_list : {false, true}) {
    PumpedFake pumped;
    if (watch_list) pumped.source.offer_watch_list(false);
    pumped.source.add("a");
    pumped.start();
    for (int second = 0; second < 60; ++second) {
      pumped.source.modify("a");
      pumped.source.expire();
      pumped.source.cut();
      pumped.advance(1s);
    }
    CHECK(pumped.source.asked().size() < 150);
  }
}

TEST_CASE(
    "E31: an event that cannot be applied is reported, holds the version back and is repaired") {
  for (const QueueKind queue : kQueues) {
    int failures = 1;
    InformerOptions options = with_queue(queue);
    options.transform = [&](const ObjectPtr& object) -> Result<ObjectPtr> {
      if (object->name() == "bad" && failures-- > 0) {
        return fail(ErrorKind::internal, "transform failed");
      }
      return object;
    };
    Texts errors;
    options.watch_error_handler = [&](const Error& error) { errors.push_back(error.message); };
    RunningInformer running(options);
    running.source.add("bad");
    running.settle();
    CHECK(errors == Texts{"apply default/bad at resourceVersion 3: transform failed"});
    CHECK(running.informer.last_sync_resource_version() == "2");
    CHECK(running.handler.take().empty());
    running.advance(1min);
    CHECK(running.handler.take() == Texts{"ADDED bad@3 (relist)"});
    CHECK(running.source.lists() == 2);
  }
}

TEST_CASE(
    "A14: an index function that fails leaves the object out of that index, and is reported") {
  struct Observer final : InformerObserver {
    void on_error(const InformerFailure& failure) override { failures.push_back(failure); }
    std::vector<InformerFailure> failures;
  };
  Observer observer;
  InformerOptions options;
  options.indexers["broken"] = [](const Object& object) -> Result<std::vector<std::string>> {
    if (object.name() == "bad") return fail(ErrorKind::internal, "no value");
    return Texts{"x"};
  };
  RunningInformer running(options, &observer);
  running.source.add("bad");
  running.settle();
  CHECK(running.handler.take() == Texts{"ADDED bad@3"});
  CHECK(running.informer.indexer().by_index("broken", "x")->size() == 2);
  REQUIRE(observer.failures.size() == 1);
  CHECK(observer.failures[0].doing == InformerFailure::Doing::applying);
}

TEST_CASE("C16: the cache holds the whole list before the first callback") {
  struct Looking final : EventHandler {
    void look(const std::string& what) {
      seen.push_back(what + " size=" + std::to_string(informer->indexer().size()));
    }
    void on_add(const Change& change) override { look("add " + change.key); }
    void on_update(const Change& change) override { look("update " + change.key); }
    void on_delete(const Change& change) override { look("delete " + change.key); }
    const SharedInformer* informer = nullptr;
    Texts seen;
  };
  RunningInformer running;
  Looking handler;
  handler.informer = &running.informer;
  const auto registration =
      running.informer.add_event_handler(handler, {.resync = {}, .delivery = Delivery::direct})
          .value();
  running.settle();
  handler.seen.clear();
  running.source.disconnect();
  running.source.remove("a");
  running.source.modify("b");
  running.source.add("c");
  running.source.add("d");
  running.source.expire();
  running.source.reconnect();
  running.advance(1min);
  CHECK(handler.seen == Texts{"delete default/a size=3", "update default/b size=3",
                              "add default/c size=3", "add default/d size=3"});
}

TEST_CASE("G36: a transform that removes the version hides no real change") {
  InformerOptions options;
  options.transform = [](const ObjectPtr& object) -> Result<ObjectPtr> {
    ObjectFacts facts;
    const std::string json = "{\"rv\":\"" + std::string(object->resource_version()) + "\"}";
    facts.ns = object->ns();
    facts.name = object->name();
    facts.uid = object->uid();
    facts.json = json;
    return Object::create(facts);
  };
  RunningInformer running(options);
  running.source.modify("a");
  running.settle();
  CHECK(running.handler.take() == Texts{"MODIFIED a@->"});
  running.source.expire();
  running.source.cut();
  running.advance(1min);
  CHECK(running.handler.take().empty());
}

TEST_CASE("K14: waiting for a list that never succeeds ends with the reason") {
  PumpedFake pumped;
  pumped.source.list_error(Error(ErrorKind::forbidden, "pods is forbidden"), 1000);
  pumped.start();
  const Result<void> synced = pumped.informer.wait_for_sync(pumped.clock.now());
  REQUIRE_FALSE(synced);
  CHECK(synced.error().kind == ErrorKind::forbidden);
  CHECK(synced.error().message == "failed to list pods: pods is forbidden");
}

}  // namespace
}  // namespace kinf
