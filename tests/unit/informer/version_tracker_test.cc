// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <string>

#include "fakes/object_builder.h"
#include "kinf/informer/version_tracker.h"

namespace kinf {
namespace {

WatchEvent event(WatchEventType type, const std::string& version) {
  WatchEvent result;
  result.type = type;
  result.resource_version = version;
  return result;
}

TEST_CASE("lists ask for any state first, then for the last version, then for the newest state") {
  VersionTracker versions(Behaviour::strict);
  CHECK(versions.for_list() == "0");
  CHECK(versions.for_stream().empty());
  versions.listed("10");
  CHECK(versions.for_list() == "10");
  CHECK(versions.for_stream() == "10");
  versions.mark_unavailable();
  CHECK(versions.for_list().empty());
  CHECK(versions.for_stream().empty());
  versions.listed("12");
  CHECK_FALSE(versions.unavailable());
  CHECK(versions.for_list() == "12");
}

TEST_CASE("an event advances the version; only client_go lets it go back") {
  for (const Behaviour behaviour : {Behaviour::strict, Behaviour::client_go}) {
    VersionTracker versions(behaviour);
    versions.listed("10");
    CHECK(versions.is_fresh_from_list());
    versions.watch_started();
    versions.took(event(WatchEventType::modified, "11"));
    CHECK_FALSE(versions.is_fresh_from_list());
    CHECK(versions.last() == "11");
    versions.took(event(WatchEventType::modified, "9"));
    CHECK(versions.last() == (behaviour == Behaviour::strict ? "11" : "9"));
  }
}

TEST_CASE("the initial additions of a watch without a version do not advance the version") {
  VersionTracker versions(Behaviour::strict);
  versions.listed("");
  versions.watch_started();
  versions.took(event(WatchEventType::added, "7"));
  CHECK(versions.last().empty());
  versions.took(event(WatchEventType::bookmark, "8"));
  CHECK(versions.last() == "8");
  versions.took(event(WatchEventType::added, "9"));
  CHECK(versions.last() == "9");
}

}  // namespace

namespace {

TEST_CASE("versions are compared as numbers of any length") {
  CHECK(is_older_version("9", "10"));
  CHECK_FALSE(is_older_version("10", "9"));
  CHECK_FALSE(is_older_version("10", "10"));
  CHECK_FALSE(is_older_version("0010", "10"));
  CHECK(is_older_version("18446744073709551615", "18446744073709551616"));
  CHECK(is_older_version("0", "1"));
}

TEST_CASE("versions that are not decimal numbers cannot be compared") {
  for (const char* odd : {"", "abc", "1.5", "-1", "0x10"}) {
    CHECK_FALSE(is_older_version(odd, "10"));
    CHECK_FALSE(is_older_version("10", odd));
  }
}

TEST_CASE("two states are the same by uid and version, or by document without a version") {
  CHECK(is_same_state(*test::make_object("a", "1"), *test::make_object("a", "1")));
  CHECK_FALSE(is_same_state(*test::make_object("a", "1"), *test::make_object("a", "2")));
  CHECK(is_same_state(*test::make_object("a", ""), *test::make_object("a", "")));
  CHECK_FALSE(is_same_state(*test::make_object("a", ""), *test::make_object("b", "")));
}

}  // namespace

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
