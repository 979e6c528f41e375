// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "fakes/change_builder.h"
#include "fakes/object_builder.h"
#include "fakes/recording_handler.h"
#include "kinf/api/event_handler.h"

namespace kinf {
namespace {

TEST_CASE("each function of a handler gets its kind of change, and missing ones are skipped") {
  std::string calls;
  FunctionHandler handler({.on_add = [&](const Change& change) { calls += "+" + change.key; },
                           .on_delete = [&](const Change& change) { calls += "-" + change.key; }});
  Change change;
  change.key = "a";
  for (const ChangeType type :
       {ChangeType::added, ChangeType::updated, ChangeType::resync, ChangeType::deleted}) {
    change.type = type;
    handler.handle(change);
  }
  handler.on_synced({});
  CHECK(calls == "+a-a");
}

TEST_CASE("one function gets every change") {
  std::vector<ChangeType> types;
  FunctionHandler handler([&](const Change& change) { types.push_back(change.type); });
  Change change;
  for (const ChangeType type : {ChangeType::added, ChangeType::resync, ChangeType::deleted}) {
    change.type = type;
    handler.handle(change);
  }
  CHECK(types == std::vector{ChangeType::added, ChangeType::resync, ChangeType::deleted});
}

TEST_CASE("on_synced is passed on") {
  std::size_t objects = 0;
  FunctionHandler handler(
      {.on_synced = [&](const SyncedEvent& event) { objects = event.objects; }});
  handler.on_synced({.resource_version = "7", .objects = 3});
  CHECK(objects == 3);
}

}  // namespace

namespace {

using test::make_labelled;
using test::RecordingHandler;
using Texts = std::vector<std::string>;

bool is_web(const Object& object) { return object.label("app") == "web"; }

ObjectPtr web(const std::string& version) { return make_labelled("a", "app", "web", version); }
ObjectPtr other(const std::string& version) { return make_labelled("a", "app", "db", version); }

TEST_CASE(
    "G33: an object that starts to pass a filter is an addition, one that stops is a deletion") {
  RecordingHandler inner;
  FilteringHandler filter(is_web, inner);
  const auto update = [&](ObjectPtr before, ObjectPtr now) {
    filter.handle(test::make_updated(std::move(before), std::move(now)));
    return inner.take();
  };
  filter.handle(test::make_added(other("1")));
  CHECK(inner.take().empty());
  CHECK(update(other("1"), web("2")) == Texts{"ADDED a@2"});
  CHECK(update(web("2"), web("3")) == Texts{"MODIFIED a@2->3"});
  CHECK(update(web("3"), other("4")) == Texts{"DELETED a@3"});
  CHECK(update(other("4"), other("5")).empty());
}

TEST_CASE("G34: a filter checks the last known object of a deletion; without one nothing passes") {
  RecordingHandler inner;
  FilteringHandler filter(is_web, inner);
  filter.handle(test::make_lost("default/a", web("7")));
  CHECK(inner.take() == Texts{"DELETED a@7 unknown (relist)"});
  filter.handle(test::make_lost("default/a", other("7")));
  filter.handle(test::make_lost("default/a", nullptr));
  CHECK(inner.take().empty());
}

TEST_CASE("a filter forwards on_synced and on_idle") {
  RecordingHandler inner;
  FilteringHandler filter(is_web, inner);
  filter.on_synced({"5", 3});
  filter.on_idle();
  CHECK(inner.take() == Texts{"SYNCED 3"});
  CHECK(inner.idles() == 1);
}

TEST_CASE("a filter passes on the known objects that match") {
  RecordingHandler inner;
  FilteringHandler filter(is_web, inner);
  filter.on_known(test::make_added(web("1")));
  filter.on_known(test::make_added(other("2")));
  CHECK(inner.take() == Texts{"KNOWN a@1"});
}

}  // namespace

}  // namespace kinf
