// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/state/state_saver.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>

#include "unit/recording/recording_rig.h"

namespace kinf::test {
namespace {

using Lines = std::vector<std::string>;

struct SaverRig : RecordingRig {
  std::unique_ptr<StateFile> open_state() {
    StateOptions options;
    options.scopes.push_back({pod_type(), "", "", "", ""});
    return StateFile::open(path, std::move(options), clock.wall()).value();
  }
  Lines saved() {
    Lines lines;
    const EarlierState earlier = open_state()->load(0, {}).value();
    for (const ObjectPtr& object : earlier.objects) {
      lines.push_back(fmt::format("{}@{}", object->name(), object->resource_version()));
    }
    std::ranges::sort(lines);
    if (earlier.is_complete) lines.emplace_back("complete");
    return lines;
  }
};

TEST_CASE("only what was written is saved") {
  SaverRig rig;
  RecordingHandler inner;
  {
    StateSaver saver(rig.open_state(), rig.clock, [](const Error&) {});
    EventHandler& handler = saver.handler(0, inner);
    saver.start();
    handler.on_known(make_added(recorded_pod("k", "1")));
    handler.on_add(make_added(recorded_pod("a", "1")));
    handler.on_synced({"1", 1});
    saver.written();
    handler.on_update(make_updated(recorded_pod("a", "1"), recorded_pod("a", "2")));
    handler.on_add(make_added(recorded_pod("b", "3")));
    CHECK(saver.finish());
  }
  CHECK(inner.take() ==
        Lines{"KNOWN k@1", "ADDED a@1", "SYNCED 1", "MODIFIED a@1->2", "ADDED b@3"});
  CHECK(rig.saved() == Lines{"a@1", "complete"});
}

TEST_CASE("the version of a state is that of what was written") {
  SaverRig rig;
  RecordingHandler inner;
  const auto version = [&] { return rig.open_state()->load(0, {}).value().resume_version; };
  {
    StateSaver saver(rig.open_state(), rig.clock, [](const Error&) {});
    EventHandler& handler = saver.handler(0, inner);
    saver.start();
    handler.on_synced({"10", 0});
    saver.delivered(0, "12");  // a bookmark
    saver.written();
    handler.on_add(make_added(recorded_pod("a", "13")));
    saver.delivered(0, "14");
  }
  CHECK(version() == "12");
  {
    StateSaver saver(rig.open_state(), rig.clock, [](const Error&) {});
    EventHandler& handler = saver.handler(0, inner);
    saver.start();
    handler.on_synced({"12", 0});
    handler.on_add(make_added(recorded_pod("a", "13")));
    saver.written();
  }
  CHECK(version() == "13");
  {
    StateSaver saver(rig.open_state(), rig.clock, [](const Error&) {});
    EventHandler& handler = saver.handler(0, inner);
    saver.start();
    Change listed = make_added(recorded_pod("b", "20"));
    listed.origin.source = ChangeSource::relist;
    handler.on_add(listed);  // one of several of a list
    saver.written();
  }
  CHECK(version().empty());
}

TEST_CASE("what a command has handled has a version when nothing waits") {
  SaverRig rig;
  const auto version = [&] { return rig.open_state()->load(0, {}).value().resume_version; };
  for (const bool is_last : {false, true}) {
    {
      StateSaver saver(rig.open_state(), rig.clock, [](const Error&) {});
      saver.completed(0);
      saver.changed(pod_type().type, make_added(recorded_pod("a", "13")));
      if (is_last) saver.reached(0, "14");
      saver.start();
    }
    CHECK(version() == (is_last ? "14" : ""));
  }
}

/// Drops every object of version 1.
class Dropping final : public RecordingHandler {
 public:
  void on_add(const Change& change) override {
    if (change.object->resource_version() == "1") saver->not_written(pod_type().type, change.key);
  }
  StateSaver* saver = nullptr;
};

TEST_CASE("a change that the output drops is not saved") {
  SaverRig rig;
  Dropping inner;
  {
    StateSaver saver(rig.open_state(), rig.clock, [](const Error&) {});
    inner.saver = &saver;
    EventHandler& handler = saver.handler(0, inner);
    saver.start();
    handler.on_add(make_added(recorded_pod("a", "1")));
    handler.on_add(make_added(recorded_pod("b", "2")));
    handler.on_add(make_added(recorded_pod("c", "2")));
    saver.not_written(pod_type().type, "default/c");  // it was held, and then dropped
    saver.written();
  }
  CHECK(rig.saved() == Lines{"b@2"});
}

TEST_CASE("what a command has handled is saved at once") {
  SaverRig rig;
  StateSaver saver(rig.open_state(), rig.clock, [](const Error&) {});
  saver.changed(pod_type().type, make_added(recorded_pod("a", "1")));
  saver.changed(pod_type().type, make_added(recorded_pod("b", "1")));
  saver.changed(pod_type().type, make_deleted(recorded_pod("b", "2")));
  saver.completed(0);
  saver.start();  // now, so that it saves all of this together
  CHECK(saver.finish());
  const auto database = Database::open(rig.path, OpenMode::read).value();
  CHECK(database->integer("SELECT count(*) FROM version").value() == 1);
  CHECK(database->integer("SELECT count(*) FROM scope WHERE synced_seq = 1").value() == 1);
}

TEST_CASE("a failure is reported once, and the changes go on") {
  SaverRig rig;
  RecordingHandler inner;
  int failures = 0;
  StateSaver saver(rig.open_state(), rig.clock, [&](const Error&) { ++failures; });
  EventHandler& handler = saver.handler(0, inner);
  Database::open(rig.path, OpenMode::write).value()->run("DROP TABLE version").value();
  saver.start();
  handler.on_add(make_added(recorded_pod("a", "1")));
  saver.written();
  CHECK_FALSE(saver.finish());
  handler.on_add(make_added(recorded_pod("b", "2")));
  saver.written();
  CHECK(failures == 1);
  CHECK(inner.count() == 2);
}

}  // namespace
}  // namespace kinf::test
