// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/watch/involved_objects.h"

#include <doctest/doctest.h>

#include "unit/print/sample_objects.h"

namespace kinf {
namespace {

using test::kPods;

Change pod_change(ChangeType type, const std::string& name, const std::string& uid) {
  ObjectFacts facts;
  facts.ns = "default";
  facts.name = name;
  facts.uid = uid;
  facts.json = "{}";
  Change change;
  change.type = type;
  change.key = "default/" + name;
  change.object = Object::create(facts);
  return change;
}

EventNote about(const std::string& name, const std::string& uid) {
  EventNote note;
  note.kind = "Pod";
  note.ns = "default";
  note.name = name;
  note.uid = uid;
  return note;
}

Change event(std::string key) {
  Change change;
  change.key = std::move(key);
  return change;
}

TEST_CASE("an Event belongs to the object with its kind, name and uid") {
  InvolvedObjects objects;
  objects.note_object(kPods, pod_change(ChangeType::added, "web", "u1"));
  CHECK(objects.is_about_known(about("web", "u1"), event("a")));
  CHECK(objects.is_about_known(about("web", ""), event("b")));
  CHECK_FALSE(objects.is_about_known(about("web", "u0"), event("c")));
  CHECK_FALSE(objects.is_about_known(about("api", "u1"), event("d")));
  EventNote node = about("web", "u1");
  node.kind = "Node";
  CHECK_FALSE(objects.is_about_known(node, event("e")));
}

TEST_CASE("an Event that arrives before its object comes with it, once") {
  InvolvedObjects objects;
  CHECK_FALSE(objects.is_about_known(about("web", "u1"), event("first")));
  CHECK_FALSE(objects.is_about_known(about("web", "u1"), event("second")));
  const std::vector<Change> events =
      objects.note_object(kPods, pod_change(ChangeType::added, "web", "u1"));
  REQUIRE(events.size() == 2);
  CHECK(events[0].key == "first");
  CHECK(objects.note_object(kPods, pod_change(ChangeType::updated, "web", "u1")).empty());
}

TEST_CASE("a deleted object stays known for a while, and what is kept is bounded") {
  InvolvedObjects objects;
  objects.note_object(kPods, pod_change(ChangeType::added, "web", "u1"));
  objects.note_object(kPods, pod_change(ChangeType::deleted, "web", "u1"));
  CHECK(objects.is_about_known(about("web", "u1"), event("killing")));
  for (int i = 0; i < 1000; ++i) {
    const std::string name = "pod-" + std::to_string(i);
    objects.note_object(kPods, pod_change(ChangeType::deleted, name, "u"));
  }
  CHECK_FALSE(objects.is_about_known(about("web", "u1"), event("late")));
  for (int i = 0; i < 1000; ++i) objects.is_about_known(about("other", "u"), event("x"));
  CHECK(objects.note_object(kPods, pod_change(ChangeType::added, "web", "u1")).empty());
}

}  // namespace
}  // namespace kinf
