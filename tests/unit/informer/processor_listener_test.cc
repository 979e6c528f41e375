// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "fakes/change_builder.h"
#include "fakes/object_builder.h"
#include "fakes/recording_handler.h"
#include "kinf/base/log.h"
#include "kinf/informer/processor_listener.h"

namespace kinf {
namespace {

using test::make_object;
using test::RecordingHandler;
using Texts = std::vector<std::string>;

Change addition(const std::string& name) { return test::make_added(make_object(name)); }

HandlerOptions bounded(Delivery delivery, WhenFull when_full = WhenFull::coalesce) {
  HandlerOptions options;
  options.delivery = delivery;
  options.when_full = when_full;
  options.bound = 2;
  return options;
}

TEST_CASE("G31: changes that still wait at the end are counted, unless the handler was removed") {
  RecordingHandler handler;
  InformerCounters counters;
  ProcessorListener staying(borrowed(handler), bounded(Delivery::queued), counters);
  ProcessorListener leaving(borrowed(handler), bounded(Delivery::queued), counters);
  for (const char* name : {"a", "b"}) {
    staying.notify(addition(name), {});
    leaving.notify(addition(name), {});
  }
  leaving.close();
  staying.finish();
  leaving.finish();
  CHECK(counters.undelivered == 2);
  CHECK(counters.notifications == 0);
  CHECK(handler.count() == 0);
}

TEST_CASE("a direct handler is called at once, a queued one later") {
  RecordingHandler handler;
  InformerCounters counters;
  ProcessorListener direct(borrowed(handler), bounded(Delivery::direct), counters);
  direct.notify(addition("a"), {});
  CHECK(handler.take() == Texts{"ADDED a@1"});
  ProcessorListener queued(borrowed(handler), bounded(Delivery::queued), counters);
  queued.notify(addition("b"), {});
  CHECK(handler.count() == 0);
  CHECK(queued.backlog() == 1);
  CHECK(queued.pump());
  CHECK(handler.take() == Texts{"ADDED b@1"});
  CHECK_FALSE(queued.pump());
}

TEST_CASE("without a thread, changes wait until the handler is ready") {
  RecordingHandler handler;
  InformerCounters counters;
  int may_take = 0;
  HandlerOptions options = bounded(Delivery::queued);
  options.is_ready = [&] { return may_take-- > 0; };
  ProcessorListener listener(borrowed(handler), options, counters);
  listener.notify(addition("a"), {});
  listener.notify(addition("b"), {});
  CHECK_FALSE(listener.pump());
  CHECK(listener.waiting().size() == 2);
  may_take = 1;
  CHECK(listener.pump());
  CHECK(handler.take() == Texts{"ADDED a@1"});
  CHECK(handler.idles() == 0);
  REQUIRE(listener.waiting().size() == 1);
  CHECK(listener.waiting()[0].key == "default/b");
  may_take = 1;
  CHECK(listener.pump());
  CHECK(handler.idles() == 1);
  CHECK(listener.waiting().empty());
}

TEST_CASE("a queued listener reports that it is drained, a direct one does not") {
  RecordingHandler handler;
  InformerCounters counters;
  int drained = 0;
  const auto count = [&] { ++drained; };
  ProcessorListener direct(borrowed(handler), bounded(Delivery::direct), counters, count);
  direct.notify(addition("a"), {});
  direct.idle_direct();
  CHECK(drained == 0);
  ProcessorListener queued(borrowed(handler), bounded(Delivery::queued), counters, count);
  CHECK_FALSE(queued.pump());
  CHECK(drained == 0);
  queued.notify(addition("b"), {});
  queued.notify(addition("c"), {});
  CHECK(queued.pump());
  CHECK(drained == 1);
}

TEST_CASE("a queue that grows, or that no thread empties, exceeds its bound") {
  RecordingHandler handler;
  InformerCounters counters;
  for (const WhenFull when_full : {WhenFull::grow, WhenFull::block}) {
    ProcessorListener listener(borrowed(handler), bounded(Delivery::queued, when_full), counters);
    for (const char* name : {"a", "b", "c", "d"}) listener.notify(addition(name), {});
    CHECK(listener.backlog() == 4);
    CHECK(listener.pump());
  }
  CHECK(counters.folded == 0);
  CHECK(counters.notifications == 8);
}

TEST_CASE("G24: an exception of a handler is counted, and its change counts as delivered") {
  struct Throwing final : EventHandler {
    void on_add(const Change&) override { throw std::runtime_error("no"); }
    void on_update(const Change&) override { throw 1; }
    void on_delete(const Change&) override {}
  } handler;
  InformerCounters counters;
  counters.description = "pods";
  std::vector<std::string> lines;
  log::set_sink([&](std::string_view line) { lines.emplace_back(line); });
  ProcessorListener listener(borrowed(handler), bounded(Delivery::direct), counters);
  listener.notify(addition("a"), {});
  listener.notify(test::make_updated(make_object("a"), make_object("a", "2")), {});
  log::set_sink({});
  CHECK(counters.handler_exceptions == 2);
  CHECK(counters.notifications == 2);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].ends_with("pods: a handler threw an exception for default/a, skipping it: no"));
  CHECK(lines[1].ends_with(": exception of unknown type"));
}

TEST_CASE("on_idle is called once, and only after a change") {
  RecordingHandler handler;
  InformerCounters counters;
  ProcessorListener listener(borrowed(handler), bounded(Delivery::direct), counters);
  listener.idle_direct();
  CHECK(handler.idles() == 0);
  listener.notify(addition("a"), {});
  listener.idle_direct();
  listener.idle_direct();
  CHECK(handler.idles() == 1);
  listener.close();
  listener.notify(addition("b"), {});
  CHECK(handler.count() == 1);
}

}  // namespace

namespace {

using test::make_object;
using Texts = std::vector<std::string>;

Change add(const std::string& name, const std::string& rv) {
  return test::make_added(make_object(name, rv));
}
Change update(const std::string& name, const std::string& from, const std::string& to) {
  return test::make_updated(make_object(name, from), make_object(name, to));
}
Change resync(const std::string& name, const std::string& rv) {
  Change change = update(name, rv, rv);
  change.type = ChangeType::resync;
  change.origin.source = ChangeSource::resync;
  return change;
}
Change removal(const std::string& name, const std::string& rv) {
  return test::make_deleted(make_object(name, rv));
}

Change pop_change(ListenerQueue& queue) { return std::get<Change>(queue.pop()); }

Texts drain(ListenerQueue& queue) {
  test::RecordingHandler handler;
  while (!queue.empty()) {
    const ListenerQueue::Item next = queue.pop();
    if (const Change* change = std::get_if<Change>(&next)) handler.handle(*change);
    if (const SyncedEvent* synced = std::get_if<SyncedEvent>(&next)) handler.on_synced(*synced);
  }
  return handler.take();
}

TEST_CASE("push keeps every change, in order") {
  ListenerQueue queue;
  queue.push(add("a", "1"));
  queue.push(update("a", "1", "2"));
  queue.push(removal("a", "3"));
  CHECK(drain(queue) == Texts{"ADDED a@1", "MODIFIED a@1->2", "DELETED a@3"});
}

TEST_CASE("fold replaces an older state of the same object by a newer one") {
  ListenerQueue queue;
  queue.push(add("a", "1"));
  queue.push(update("b", "1", "2"));
  queue.push(SyncedEvent{});
  CHECK(queue.fold(update("a", "1", "5")) == 1);
  CHECK(queue.fold(update("b", "2", "6")) == 1);
  CHECK(queue.fold(update("c", "1", "7")) == 0);
  CHECK(drain(queue) == Texts{"ADDED a@5", "MODIFIED b@1->6", "SYNCED 0", "MODIFIED c@1->7"});
}

TEST_CASE("fold keeps additions and deletions, but not an update before a deletion") {
  ListenerQueue queue;
  queue.push(add("a", "1"));
  queue.push(update("b", "1", "2"));
  CHECK(queue.fold(removal("a", "3")) == 0);
  CHECK(queue.fold(removal("b", "4")) == 1);
  CHECK(queue.fold(add("b", "5")) == 0);
  CHECK(drain(queue) == Texts{"ADDED a@1", "DELETED b@4", "DELETED a@3", "ADDED b@5"});
}

TEST_CASE("a reminder does not turn a waiting update into a reminder") {
  ListenerQueue queue;
  queue.push(update("a", "1", "2"));
  queue.push(resync("b", "1"));
  CHECK(queue.fold(resync("a", "2")) == 1);
  CHECK(queue.fold(update("b", "1", "2")) == 1);
  CHECK(pop_change(queue).type == ChangeType::updated);
  const Change b = pop_change(queue);
  CHECK(b.type == ChangeType::updated);
  CHECK(b.origin.source == ChangeSource::watch);
}

TEST_CASE("an object that is created and deleted again and again needs room for one round only") {
  ListenerQueue queue;
  queue.push(update("a", "1", "2"));
  std::uint64_t folded = queue.fold(removal("a", "3"));
  for (int i = 0; i < 100; ++i) {
    folded += queue.fold(add("a", "10"));
    folded += queue.fold(removal("a", "11"));
    CHECK(queue.size() <= 2);
  }
  folded += queue.fold(add("a", "12"));
  CHECK(folded == 201);
  CHECK(drain(queue) == Texts{"DELETED a@3", "ADDED a@12"});
}

TEST_CASE("a change counts how many others were merged into it") {
  ListenerQueue queue;
  queue.push(add("a", "1"));
  queue.push(update("b", "1", "2"));
  queue.fold(update("a", "1", "3"));
  queue.fold(update("a", "3", "4"));
  queue.fold(update("b", "2", "5"));
  queue.fold(removal("b", "6"));
  queue.fold(add("b", "7"));
  queue.fold(update("b", "7", "8"));
  queue.fold(removal("b", "9"));
  CHECK(pop_change(queue).folded == 2);
  // Two changes before it; an addition, its update and its deletion after it.
  CHECK(pop_change(queue).folded == 5);
  CHECK(queue.empty());
}

TEST_CASE("fold does not change what has been popped") {
  ListenerQueue queue;
  queue.push(update("a", "1", "2"));
  queue.push(update("b", "1", "2"));
  CHECK(queue.fold(update("a", "2", "3")) == 1);
  CHECK(pop_change(queue).object->resource_version() == "3");
  CHECK(queue.fold(update("a", "3", "4")) == 0);
  CHECK(drain(queue) == Texts{"MODIFIED b@1->2", "MODIFIED a@3->4"});
}

}  // namespace

}  // namespace kinf
