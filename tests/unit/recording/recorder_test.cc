// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/recorder.h"

#include <doctest/doctest.h>

#include <optional>

#include "unit/recording/recording_rig.h"

namespace kinf::test {
namespace {

using Lines = std::vector<std::string>;

TEST_CASE("A recorder writes what its handlers get, and passes it on") {
  RecordingRig rig;
  RecordingHandler inner;
  {
    Recorder recorder(rig.open(), rig.clock, [](const Error&) {});
    EventHandler& handler = recorder.handler(rig.add_pods(recorder.writer()), &inner);
    recorder.start();
    Change first = rig.at_now(make_added(recorded_pod("a", "1")), ChangeSource::list);
    first.initial = true;
    handler.on_add(first);
    handler.on_synced({"1", 1});
    handler.on_update(rig.at_now(make_updated(recorded_pod("a", "1"), recorded_pod("a", "2"))));
    handler.on_delete(rig.at_now(make_deleted(recorded_pod("a", "3"))));
    recorder.finish();
    CHECK(recorder.totals().versions == 3);
    CHECK(recorder.totals().objects == 0);
  }
  const Lines expected = {"ADDED a@1 initial", "SYNCED 1", "MODIFIED a@1->2", "DELETED a@3"};
  CHECK(inner.take() == expected);
  CHECK(rig.play() == expected);
}

TEST_CASE("A full queue makes the informer wait, and nothing is lost") {
  RecordingRig rig;
  constexpr int kChanges = 20'000;  // more than the queue holds
  {
    Recorder recorder(rig.open(), rig.clock, [](const Error&) {});
    EventHandler& handler = recorder.handler(rig.add_pods(recorder.writer()), nullptr);
    recorder.start();
    handler.on_synced({"1", 0});
    for (int i = 1; i <= kChanges; ++i) {
      handler.on_update(
          rig.at_now(make_updated(recorded_pod("a", "1"), recorded_pod("a", std::to_string(i)))));
    }
  }
  CHECK(rig.read()->last_seq() == kChanges);
}

TEST_CASE("What waits behind a blocked output when kinf ends lies in the gap") {
  RecordingRig rig;
  {
    Recorder recorder(rig.open(), rig.clock, [](const Error&) {});
    const std::size_t pods = rig.add_pods(recorder.writer());
    EventHandler& handler = recorder.handler(pods, nullptr);
    recorder.start();
    handler.on_synced({"1", 0});
    rig.clock.advance(std::chrono::minutes(1));
    recorder.heard(pods);
    // The handler writes this to a full pipe for an hour, and the next changes wait.
    handler.on_add(rig.at_now(make_added(recorded_pod("a", "2"))));
    while (rig.read()->last_seq() == 0) {
      rig.clock.wait_for_sleepers(1);
      rig.clock.advance(std::chrono::milliseconds(200));
    }
    rig.clock.advance(std::chrono::hours(1));
  }
  const auto writer = rig.open();
  rig.list(*writer, rig.add_pods(*writer), {recorded_pod("a", "3")});
  const auto gaps = rig.read()->gaps().value();
  REQUIRE(gaps.size() == 1);
  CHECK((gaps[0].begin == FakeClock::kStart + std::chrono::minutes(1)));
}

TEST_CASE("A failure ends the recording, but not the changes of the handlers") {
  RecordingRig rig;
  RecordingHandler inner;
  std::optional<Error> failure;
  Recorder recorder(rig.open(), rig.clock, [&](const Error& error) { failure = error; });
  EventHandler& handler = recorder.handler(rig.add_pods(recorder.writer()), &inner);
  recorder.writer().commit(rig.clock.wall()).value();
  Database::open(rig.path, OpenMode::write).value()->run("DROP TABLE version").value();
  recorder.start();
  handler.on_add(rig.at_now(make_added(recorded_pod("a", "1"))));
  recorder.finish();
  REQUIRE(failure);
  CHECK(failure->message.find("no such table: version") != std::string::npos);
  CHECK(recorder.has_failed());
  handler.on_add(rig.at_now(make_added(recorded_pod("b", "2"))));
  CHECK(inner.count() == 2);
}

TEST_CASE("A change is durable a fifth of a second later") {
  RecordingRig rig;
  Recorder recorder(rig.open(), rig.clock, [](const Error&) {});
  EventHandler& handler = recorder.handler(rig.add_pods(recorder.writer()), nullptr);
  recorder.start();
  rig.clock.wait_for_sleepers(1);
  handler.on_add(rig.at_now(make_added(recorded_pod("a", "1"))));
  while (rig.read()->last_seq() == 0) {
    rig.clock.wait_for_sleepers(1);
    rig.clock.advance(std::chrono::milliseconds(200));
  }
  CHECK(rig.clock.wall() - FakeClock::kStart < std::chrono::seconds(1));
}

}  // namespace
}  // namespace kinf::test
