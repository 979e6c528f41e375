// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/initial_events.h"

#include <doctest/doctest.h>

#include <string>

#include "fakes/object_builder.h"

namespace kinf {
namespace {

using test::make_object;

TEST_CASE("initial events become the list of their last states, in the order of their keys") {
  InitialEvents events;
  for (const char* name : {"c", "a", "b"}) {
    events.apply(WatchEventType::added, make_object(name, "1"));
  }
  events.apply(WatchEventType::modified, make_object("a", "2"));
  events.apply(WatchEventType::deleted, make_object("c", "3"));
  events.apply(WatchEventType::deleted, make_object("unknown", "4"));
  CHECK(events.size() == 2);
  std::string text;
  for (const ObjectPtr& object : events.take()) {
    text += std::string(object->name()) + "@" + std::string(object->resource_version()) + " ";
  }
  CHECK(text == "a@2 b@1 ");
  CHECK(events.size() == 0);
  CHECK(events.take().empty());
}

TEST_CASE("an object that is deleted and added again is listed once") {
  InitialEvents events;
  events.apply(WatchEventType::added, make_object("a", "1"));
  events.apply(WatchEventType::deleted, make_object("a", "2"));
  events.apply(WatchEventType::added, make_object("a", "3"));
  const auto objects = events.take();
  REQUIRE(objects.size() == 1);
  CHECK(objects[0]->resource_version() == "3");
}

}  // namespace
}  // namespace kinf
