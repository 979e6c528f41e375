// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/pending_changes.h"

#include <doctest/doctest.h>

#include "fakes/object_builder.h"

namespace kinf {
namespace {

ObjectPtr make(std::string rv, std::string uid = "u1") {
  test::ObjectSpec spec;
  spec.name = "web";
  spec.rv = std::move(rv);
  spec.uid = std::move(uid);
  return test::make_object(spec);
}

/// One object's story, told shortly.
struct Story {
  PendingChanges objects;

  void add(const ObjectPtr& object) {
    AddEvent event;
    event.object = object;
    objects.added("web", event);
  }
  void update(const ObjectPtr& object) {
    UpdateEvent event;
    event.object = object;
    objects.updated("web", event);
  }
  void remove(const ObjectPtr& object) {
    DeleteEvent event;
    event.key = "default/web";
    event.object = object;
    objects.deleted("web", event);
  }
  /// Runs what is next and succeeds; `ADDED 1`, or nothing.
  std::string run() {
    const auto change = objects.next("web");
    if (!change) return "";
    objects.started("web", *change);
    objects.succeeded("web", *change);
    return text(*change);
  }
  static std::string text(const ToldChange& change) {
    std::string out(wire_word(change.type));
    out.append(" ").append(change.object->resource_version());
    if (change.old) out.append(" after ").append(change.old->resource_version());
    if (change.recreated) out += " again";
    return out;
  }
};

TEST_CASE("changes before a run are one, with the state of the last success as old") {
  Story story;
  story.add(make("1"));
  story.update(make("2"));
  CHECK(story.run() == "ADDED 2");
  CHECK(story.run().empty());
  story.update(make("3"));
  story.update(make("4"));
  CHECK(story.run() == "MODIFIED 4 after 2");
  story.remove(make("5"));
  CHECK(story.run() == "DELETED 5");
  CHECK(story.run().empty());
  CHECK(story.objects.size() == 0);
}

TEST_CASE("an object that went before anybody was told of it is not told of") {
  Story story;
  story.add(make("1"));
  story.remove(make("2"));
  CHECK(story.run().empty());
  CHECK(story.objects.size() == 0);
}

TEST_CASE("an object whose command was started is told of its end, success or not") {
  Story story;
  story.add(make("1"));
  story.objects.started("web", *story.objects.next("web"));
  story.remove(make("2"));
  CHECK(story.run() == "DELETED 2");
  CHECK(story.objects.size() == 0);
}

TEST_CASE("an object that goes between the look and the start is told of its end, too") {
  Story story;
  story.add(make("1"));
  const ToldChange change = *story.objects.next("web");
  story.remove(make("2"));
  story.objects.started("web", change);
  story.objects.succeeded("web", change);
  CHECK(story.run() == "DELETED 1");
}

TEST_CASE("of an object that was created again the end is told before the beginning") {
  Story story;
  story.add(make("1"));
  CHECK(story.run() == "ADDED 1");
  story.remove(make("2"));
  story.add(make("3", "u2"));
  CHECK(story.run() == "DELETED 2");
  CHECK(story.run() == "ADDED 3 again");
  CHECK(story.run().empty());
}

TEST_CASE("a success that came too late is not taken for one of the new object") {
  Story story;
  story.add(make("1"));
  const ToldChange change = *story.objects.next("web");
  story.objects.started("web", change);
  story.remove(make("2"));
  story.add(make("3", "u2"));
  story.objects.succeeded("web", change);
  CHECK(story.run() == "DELETED 2");
  CHECK(story.run() == "ADDED 3 again");
}

TEST_CASE("what was given up is told again only when it changes") {
  Story story;
  story.add(make("1"));
  story.objects.given_up("web", *story.objects.next("web"));
  CHECK(story.run().empty());
  story.update(make("2"));
  CHECK(story.run() == "ADDED 2");
}

TEST_CASE("an object that is taken as told is only told of when it changes") {
  Story story;
  story.objects.set_delivered("web", make("1"));
  CHECK(story.run().empty());
  story.update(make("2"));
  CHECK(story.run() == "MODIFIED 2 after 1");
}

TEST_CASE("an update that does not matter waits for one that does, and old stays what it was") {
  PendingChanges objects(
      [](const Object&, const Object& object) { return object.resource_version() == "3"; });
  AddEvent added;
  added.object = make("1");
  objects.added("web", added);
  objects.succeeded("web", *objects.next("web"));
  UpdateEvent update;
  update.object = make("2");
  objects.updated("web", update);
  CHECK_FALSE(objects.next("web").has_value());
  update.object = make("3");
  objects.updated("web", update);
  CHECK(Story::text(*objects.next("web")) == "MODIFIED 3 after 1");
}

}  // namespace
}  // namespace kinf
