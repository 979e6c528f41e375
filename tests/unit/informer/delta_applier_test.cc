// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/delta_applier.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "fakes/object_builder.h"
#include "fakes/recording_handler.h"

namespace kinf {
namespace {

using test::make_object;
using Texts = std::vector<std::string>;

/// An applier with its cache. apply() returns the changes as a handler sees them.
struct Applied {
  explicit Applied(Behaviour behaviour = Behaviour::strict)
      : applier(indexer, behaviour, counters) {}

  Texts apply(Deltas deltas, bool is_batch = false) {
    Popped popped{.deltas = std::move(deltas), .is_batch = is_batch};
    changes.clear();
    CHECK(applier.apply(popped, changes));
    test::RecordingHandler handler;
    for (const Change& change : changes) handler.handle(change);
    return handler.take();
  }

  Indexer indexer;
  InformerCounters counters;
  DeltaApplier applier;
  std::vector<Change> changes;
};

Delta delta(DeltaType type, ObjectPtr object) {
  return {.type = type, .key = object->key(), .object = std::move(object)};
}

Delta list_of(std::vector<ObjectPtr> objects, const std::string& version) {
  return {.type = DeltaType::replaced_all,
          .origin = {.source = ChangeSource::relist},
          .resource_version = version,
          .objects = std::move(objects)};
}

ObjectPtr with_uid(const std::string& name, const std::string& rv, const std::string& uid) {
  test::ObjectSpec spec;
  spec.name = name;
  spec.rv = rv;
  spec.uid = uid;
  return make_object(spec);
}

TEST_CASE("a change has the key, both states and the origin of its delta") {
  Applied applied;
  applied.apply({delta(DeltaType::added, make_object("a", "1"))});
  Delta update = delta(DeltaType::updated, make_object("a", "2"));
  update.origin = {.source = ChangeSource::watch, .arrived = Clock::Wall(std::chrono::seconds(5))};
  applied.apply({update});
  REQUIRE(applied.changes.size() == 1);
  const Change& change = applied.changes.front();
  CHECK(change.type == ChangeType::updated);
  CHECK(change.key == "default/a");
  CHECK(change.old->resource_version() == "1");
  CHECK(change.object->resource_version() == "2");
  CHECK(change.origin.arrived == update.origin.arrived);
  CHECK(applied.indexer.get_by_key("default/a") == change.object);
}

TEST_CASE("the deltas of one key build on each other, although they are written together") {
  Applied applied;
  CHECK(applied.apply({delta(DeltaType::added, make_object("a", "1")),
                       delta(DeltaType::updated, make_object("a", "2")),
                       delta(DeltaType::deleted, make_object("a", "3")),
                       delta(DeltaType::added, make_object("a", "4"))}) ==
        Texts{"ADDED a@1", "MODIFIED a@1->2", "DELETED a@3", "ADDED a@4"});
  CHECK(applied.indexer.get_by_key("default/a")->resource_version() == "4");
}

TEST_CASE("another uid under the same key is a deletion and an addition") {
  Applied applied;
  applied.apply({delta(DeltaType::added, with_uid("a", "1", "u1"))});
  CHECK(applied.apply({delta(DeltaType::updated, with_uid("a", "2", "u2"))}) ==
        Texts{"DELETED a@1 unknown", "ADDED a@2 recreated"});
}

TEST_CASE("the deletion of an object that was never seen ends the older object with its name") {
  Applied applied;
  applied.apply({delta(DeltaType::added, with_uid("a", "3", "u1"))});
  CHECK(applied.apply({delta(DeltaType::deleted, with_uid("a", "5", "u2"))}) ==
        Texts{"DELETED a@3 unknown"});
  CHECK(applied.indexer.size() == 0);
}

TEST_CASE("an unchanged or older object, and an unknown deletion, are refused and counted") {
  Applied applied;
  applied.apply({delta(DeltaType::added, make_object("a", "5"))});
  CHECK(applied.apply({delta(DeltaType::updated, make_object("a", "5"))}).empty());
  CHECK(applied.apply({delta(DeltaType::updated, make_object("a", "4"))}).empty());
  CHECK(applied.apply({delta(DeltaType::deleted, make_object("b", "6"))}).empty());
  CHECK(applied.counters.unchanged == 1);
  CHECK(applied.counters.version_regressions == 1);
  CHECK(applied.counters.unknown_deletions == 1);
}

TEST_CASE("a list deletes what it does not hold, and takes the last of two equal keys") {
  Applied applied;
  applied.apply({delta(DeltaType::added, make_object("a", "1")),
                 delta(DeltaType::added, make_object("b", "2"))},
                true);
  CHECK(
      applied.apply({list_of({make_object("c", "3"), make_object("c", "4")}, "5")}) ==
      Texts{"DELETED a@1 unknown (relist)", "DELETED b@2 unknown (relist)", "ADDED c@4 (relist)"});
  CHECK(applied.changes.back().key == "default/c");
  CHECK(applied.indexer.list_keys() == Texts{"default/c"});
  CHECK(applied.indexer.last_store_sync_resource_version() == "5");
}

TEST_CASE("a resync reminds of every object and writes nothing") {
  Applied applied;
  applied.apply({delta(DeltaType::added, make_object("a", "1"))});
  const ChangeOrigin resync{.source = ChangeSource::resync, .round = 7};
  CHECK(applied.apply({{.type = DeltaType::sync_all, .origin = resync}}) ==
        Texts{"MODIFIED a@1->1 (resync)"});
  CHECK(applied.changes.front().type == ChangeType::resync);
  CHECK(applied.changes.front().origin.round == 7);
  Delta sync = delta(DeltaType::sync, make_object("gone", "1"));
  CHECK(applied.apply({sync}).empty());
}

TEST_CASE("client_go: equal versions are a reminder, and a deletion needs no stored object") {
  Applied applied(Behaviour::client_go);
  applied.apply({delta(DeltaType::added, make_object("a", "1"))});
  applied.apply({delta(DeltaType::updated, make_object("a", "1"))});
  REQUIRE(applied.changes.size() == 1);
  CHECK(applied.changes.front().type == ChangeType::resync);
  CHECK(applied.apply({delta(DeltaType::deleted, make_object("b", "2"))}) == Texts{"DELETED b@2"});
}

}  // namespace
}  // namespace kinf
