// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/processor_listener.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "fakes/change_builder.h"
#include "fakes/object_builder.h"
#include "fakes/recording_handler.h"

namespace kinf {
namespace {

using test::make_object;
using test::RecordingHandler;
using Texts = std::vector<std::string>;

Change addition(const std::string& name) { return test::make_added(make_object(name)); }

HandlerOptions delivered(Delivery delivery, WhenFull when_full = WhenFull::coalesce) {
  HandlerOptions options;
  options.delivery = delivery;
  options.when_full = when_full;
  options.bound = 2;
  return options;
}

TEST_CASE("G31: changes that still wait at the end are counted, unless the handler was removed") {
  RecordingHandler handler;
  InformerCounters counters;
  ProcessorListener staying(handler, delivered(Delivery::queued), counters);
  ProcessorListener leaving(handler, delivered(Delivery::queued), counters);
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
  ProcessorListener direct(handler, delivered(Delivery::direct), counters);
  direct.notify(addition("a"), {});
  CHECK(handler.take() == Texts{"ADDED a@1"});
  ProcessorListener queued(handler, delivered(Delivery::queued), counters);
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
  HandlerOptions options = delivered(Delivery::queued);
  options.is_ready = [&] { return may_take-- > 0; };
  ProcessorListener listener(handler, options, counters);
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
  ProcessorListener direct(handler, delivered(Delivery::direct), counters, count);
  direct.notify(addition("a"), {});
  direct.idle_direct();
  CHECK(drained == 0);
  ProcessorListener queued(handler, delivered(Delivery::queued), counters, count);
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
    ProcessorListener listener(handler, delivered(Delivery::queued, when_full), counters);
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
  ProcessorListener listener(handler, delivered(Delivery::direct), counters);
  listener.notify(addition("a"), {});
  listener.notify(test::make_updated(make_object("a"), make_object("a", "2")), {});
  CHECK(counters.handler_exceptions == 2);
  CHECK(counters.notifications == 2);
}

TEST_CASE("on_idle is called once, and only after a change") {
  RecordingHandler handler;
  InformerCounters counters;
  ProcessorListener listener(handler, delivered(Delivery::direct), counters);
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
}  // namespace kinf
