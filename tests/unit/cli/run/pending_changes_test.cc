// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/run/pending_changes.h"

#include <doctest/doctest.h>

#include "fakes/change_builder.h"
#include "kinf/print/event_printer.h"
#include "unit/cli/run/web_pod.h"

namespace kinf {
namespace {

using test::kWeb;
using test::web_pod;

/// Records and delivers the changes of one object.
struct Story {
  PendingChanges objects;

  void add(const ObjectPtr& object) { objects.changed(kWeb, test::make_added(object)); }
  void update(const ObjectPtr& object) {
    objects.changed(kWeb, test::make_updated(nullptr, object));
  }
  void remove(const ObjectPtr& object) { objects.changed(kWeb, test::make_deleted(object)); }
  /// Delivers the next change. Returns `ADDED 1`, or an empty string if there is none.
  std::string run() {
    const auto change = objects.next(kWeb);
    if (!change) return "";
    objects.started(kWeb, *change);
    objects.succeeded(kWeb, *change);
    return text(*change);
  }
  static std::string text(const Change& change) {
    std::string out(wire_word(change.type));
    out.append(" ").append(change.object->resource_version());
    if (change.old) out.append(" after ").append(change.old->resource_version());
    if (change.recreated) out += " again";
    return out;
  }
};

TEST_CASE("changes before a run are delivered as one, with the last delivered state as old") {
  Story story;
  story.add(web_pod("1"));
  story.update(web_pod("2"));
  CHECK(story.run() == "ADDED 2");
  CHECK(story.run().empty());
  story.update(web_pod("3"));
  story.update(web_pod("4"));
  CHECK(story.run() == "MODIFIED 4 after 2");
  story.remove(web_pod("5"));
  CHECK(story.run() == "DELETED 5");
  CHECK(story.run().empty());
  CHECK(story.objects.size() == 0);
}

TEST_CASE("not all is delivered while a change waits or was given up") {
  Story story;
  CHECK(story.objects.has_delivered_all());
  story.add(web_pod("1"));
  CHECK_FALSE(story.objects.has_delivered_all());
  story.run();
  CHECK(story.objects.has_delivered_all());
  story.update(web_pod("2"));
  story.objects.given_up(kWeb, *story.objects.next(kWeb));
  CHECK_FALSE(story.objects.has_delivered_all());
}

TEST_CASE("an object that is deleted before its first run causes no run") {
  Story story;
  story.add(web_pod("1"));
  story.remove(web_pod("2"));
  CHECK(story.run().empty());
  CHECK(story.objects.size() == 0);
}

TEST_CASE("the deletion is delivered if a command was started, even if it failed") {
  Story story;
  story.add(web_pod("1"));
  story.objects.started(kWeb, *story.objects.next(kWeb));
  story.remove(web_pod("2"));
  CHECK(story.run() == "DELETED 2");
  CHECK(story.objects.size() == 0);
}

TEST_CASE("the deletion is delivered if it happens between next() and started()") {
  Story story;
  story.add(web_pod("1"));
  const Change change = *story.objects.next(kWeb);
  story.remove(web_pod("2"));
  story.objects.started(kWeb, change);
  story.objects.succeeded(kWeb, change);
  CHECK(story.run() == "DELETED 1");
}

TEST_CASE("for a recreated object the deletion is delivered before the creation") {
  Story story;
  story.add(web_pod("1"));
  CHECK(story.run() == "ADDED 1");
  story.remove(web_pod("2"));
  story.add(web_pod("3", "u2"));
  CHECK(story.run() == "DELETED 2");
  CHECK(story.run() == "ADDED 3 again");
  CHECK(story.run().empty());
}

TEST_CASE("a success for a deleted object does not count for the new object") {
  Story story;
  story.add(web_pod("1"));
  const Change change = *story.objects.next(kWeb);
  story.objects.started(kWeb, change);
  story.remove(web_pod("2"));
  story.add(web_pod("3", "u2"));
  story.objects.succeeded(kWeb, change);
  CHECK(story.run() == "DELETED 2");
  CHECK(story.run() == "ADDED 3 again");
}

TEST_CASE("an object that was given up is delivered again only when it changes") {
  Story story;
  story.add(web_pod("1"));
  story.objects.given_up(kWeb, *story.objects.next(kWeb));
  CHECK(story.run().empty());
  story.update(web_pod("2"));
  CHECK(story.run() == "ADDED 2");
}

TEST_CASE("an object marked as delivered is delivered only when it changes") {
  Story story;
  story.objects.set_delivered(kWeb, test::make_added(web_pod("1")));
  CHECK(story.run().empty());
  story.update(web_pod("2"));
  CHECK(story.run() == "MODIFIED 2 after 1");
}

TEST_CASE("an update that does not matter is delivered with the next one that does") {
  PendingChanges objects(
      [](const Object&, const Object& object) { return object.resource_version() == "3"; });
  objects.changed(kWeb, test::make_added(web_pod("1")));
  objects.succeeded(kWeb, *objects.next(kWeb));
  objects.changed(kWeb, test::make_updated(nullptr, web_pod("2")));
  CHECK_FALSE(objects.next(kWeb).has_value());
  objects.changed(kWeb, test::make_updated(nullptr, web_pod("3")));
  CHECK(Story::text(*objects.next(kWeb)) == "MODIFIED 3 after 1");
}

}  // namespace
}  // namespace kinf
