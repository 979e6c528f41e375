// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/version_tracker.h"

#include <doctest/doctest.h>

#include <string>

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
}  // namespace kinf
