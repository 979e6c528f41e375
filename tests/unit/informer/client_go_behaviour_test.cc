// SPDX-License-Identifier: Apache-2.0
// Behaviour::client_go where the golden vectors do not cover it.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "fakes/manual_source.h"
#include "fakes/object_builder.h"
#include "fakes/pumped_informer.h"
#include "fakes/recording_handler.h"
#include "fakes/status_error.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;
using test::make_labelled;
using test::make_object;
using test::RecordingHandler;
using test::status_error;
using Texts = std::vector<std::string>;
using PumpedManual = test::PumpedInformer<test::ManualSource>;

InformerOptions client_go() {
  InformerOptions options;
  options.behaviour = Behaviour::client_go;
  return options;
}

/// Advances the clock until the next request.
void await_request(PumpedManual& pumped) {
  for (int i = 0; i < 600 && !pumped.source.pending(); ++i) pumped.advance(1s);
  REQUIRE(pumped.source.pending());
}

void list(PumpedManual& pumped, std::vector<ObjectPtr> items, const std::string& version) {
  await_request(pumped);
  pumped.source.answer_list(std::move(items), version);
  pumped.settle();
  pumped.source.answer_watch();
  pumped.settle();
}

TEST_CASE("client_go: a list restarts the resync timer") {
  for (const Behaviour behaviour : {Behaviour::client_go, Behaviour::strict}) {
    InformerOptions options;
    options.behaviour = behaviour;
    options.resync_period = 10s;
    PumpedManual pumped(options);
    RecordingHandler handler;
    const auto registration = pumped.informer.add_event_handler(handler).value();
    pumped.start();
    list(pumped, {make_object("a", "1")}, "1");
    pumped.advance(8s);
    pumped.source.send_error(status_error(410, "Expired"));
    pumped.settle();
    list(pumped, {make_object("a", "1")}, "1");
    handler.take();
    pumped.advance(9s);
    CHECK(handler.take().empty() == (behaviour == Behaviour::client_go));
    pumped.advance(1s);
    CHECK(handler.take().empty() == (behaviour == Behaviour::strict));
  }
}

TEST_CASE("client_go: an event whose transform fails is lost, but its version is taken") {
  InformerOptions options = client_go();
  options.transform = [](const ObjectPtr& object) -> Result<ObjectPtr> {
    if (object->label("bad")) return fail(ErrorKind::internal, "transform failed");
    return object;
  };
  PumpedManual pumped(options);
  pumped.start();
  list(pumped, {make_object("a", "1")}, "1");
  pumped.source.send(WatchEventType::modified, make_labelled("a", "bad", "x", "5"));
  pumped.settle();
  CHECK(pumped.informer.last_sync_resource_version() == "5");
  CHECK(pumped.informer.indexer().get_by_key("default/a")->resource_version() == "1");
  CHECK(pumped.source.stream_open());
}

TEST_CASE("client_go: a deletion in a streaming list is not transformed") {
  InformerOptions options = client_go();
  options.transform = [](const ObjectPtr& object) -> Result<ObjectPtr> {
    if (object->label("bad")) return fail(ErrorKind::internal, "transform failed");
    return object;
  };
  PumpedManual pumped(options);
  pumped.source.set_watch_list(true);
  pumped.start();
  pumped.source.answer_watch();
  pumped.source.send(WatchEventType::added, make_object("a", "1"));
  pumped.source.send(WatchEventType::added, make_object("b", "2"));
  pumped.source.send(WatchEventType::deleted, make_labelled("a", "bad", "x", "3"));
  pumped.source.send_bookmark("3", true);
  pumped.settle();
  CHECK(pumped.informer.indexer().list_keys() == Texts{"default/b"});
}

TEST_CASE("client_go: Gone on a later page is not an expired token, and the list is retried") {
  PumpedManual pumped(client_go());
  pumped.start();
  pumped.source.answer_list({make_object("a", "1")}, "7", "more");
  pumped.settle();
  CHECK(pumped.source.pending()->options.continue_token == "more");
  pumped.source.answer_error(status_error(410, "Gone"));
  pumped.settle();
  REQUIRE(pumped.source.pending());
  const ListOptions again = pumped.source.pending()->options;
  CHECK(again.continue_token.empty());
  CHECK(again.resource_version.empty());
  CHECK(again.limit == 500);
}

TEST_CASE(
    "client_go: a later handler with a shorter period does not move the next resync of others") {
  InformerOptions options = client_go();
  options.resync_period = 60s;
  PumpedManual pumped(options);
  RecordingHandler slow;
  RecordingHandler fast;
  const auto first = pumped.informer.add_event_handler(slow, {.resync = 10s}).value();
  const auto second = pumped.informer.add_event_handler(fast, {.resync = 4s}).value();
  pumped.start();
  list(pumped, {make_object("a", "1")}, "1");
  slow.take();
  fast.take();
  pumped.advance(4s);
  CHECK(fast.take().size() == 1);
  pumped.advance(4s);
  CHECK(fast.take().size() == 1);
  CHECK(slow.take().empty());
  pumped.advance(4s);  // due at 10 s, asked at 12 s
  CHECK(slow.take().size() == 1);
}

}  // namespace
}  // namespace kinf
