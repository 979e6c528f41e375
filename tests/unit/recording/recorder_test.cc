// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/recorder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>

#include "unit/recording/recording_rig.h"

namespace kinf::test {
namespace {

using Lines = std::vector<std::string>;

std::size_t add_pods(Recorder& recorder) {
  return recorder.add_scope({pod_type(), "", "", "", ""}).value();
}

TEST_CASE("A recorder writes what its handlers get, and passes it on") {
  RecordingRig rig;
  RecordingHandler inner;
  {
    Recorder recorder(rig.open(), rig.clock, [](const Error&) {});
    EventHandler& handler = recorder.handler(add_pods(recorder), &inner);
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

TEST_CASE("A recorder writes objects of an earlier run, unless the recording has them") {
  RecordingRig rig;
  RecordingHandler inner;
  const auto known = [&](const std::string& name, const std::string& version) {
    Change change = make_added(recorded_pod(name, version));
    change.initial = true;
    return change;
  };
  {
    const auto writer = rig.open();
    rig.list(*writer, rig.add_pods(*writer), {recorded_pod("a", "2")});
  }
  {
    Recorder recorder(rig.open(), rig.clock, [](const Error&) {});
    EventHandler& handler = recorder.handler(add_pods(recorder), &inner);
    recorder.start();
    handler.on_known(known("a", "1"));
    handler.on_known(known("b", "3"));
    handler.on_synced({"4", 2});
    handler.on_update(rig.at_now(make_updated(recorded_pod("b", "3"), recorded_pod("b", "5"))));
    recorder.finish();
    CHECK(recorder.totals().objects == 2);
  }
  const Lines played = rig.play();
  CHECK(std::ranges::count(played, "ADDED a@2 initial") == 1);
  CHECK(std::ranges::count_if(
            played, [](const std::string& line) { return line.starts_with("ADDED b@3"); }) == 1);
  CHECK(played.back() == "MODIFIED b@3->5");
  CHECK(std::ranges::none_of(played, [](const std::string& line) {
    return line.starts_with("DELETED") || line.contains("a@1");
  }));
}

TEST_CASE("A full queue makes the informer wait, and nothing is lost") {
  RecordingRig rig;
  constexpr int kChanges = 20'000;  // more than the queue holds
  {
    Recorder recorder(rig.open(), rig.clock, [](const Error&) {});
    EventHandler& handler = recorder.handler(add_pods(recorder), nullptr);
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
    const std::size_t pods = add_pods(recorder);
    EventHandler& handler = recorder.handler(pods, nullptr);
    recorder.start();
    handler.on_synced({"1", 0});
    rig.clock.advance(std::chrono::minutes(1));
    recorder.heard(pods, rig.clock.wall());
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

TEST_CASE("A recorder writes the gap of a list before the changes of that list") {
  RecordingRig rig;
  const Clock::Wall watched = rig.clock.wall();
  {
    Recorder recorder(rig.open(), rig.clock, [](const Error&) {});
    const std::size_t pods = add_pods(recorder);
    EventHandler& handler = recorder.handler(pods, nullptr);
    recorder.start();
    handler.on_synced({"1", 0});
    rig.clock.advance(std::chrono::minutes(1));
    recorder.relisted(pods, {watched, rig.clock.wall(), "resourceVersion 1 expired"});
    handler.on_add(rig.at_now(make_added(recorded_pod("a", "2")), ChangeSource::relist));
    recorder.finish();
    CHECK(recorder.totals().gaps == 1);
  }
  const auto gaps = rig.read()->gaps().value();
  REQUIRE(gaps.size() == 1);
  CHECK(gaps[0].reason == "resourceVersion 1 expired");
  CHECK((gaps[0].begin == watched));
  CHECK((gaps[0].end == rig.clock.wall()));
  CHECK(rig.play() == Lines{"SYNCED 0", "ADDED a@2 (relist)"});
}

/// A pod of the namespace `ns`.
ObjectPtr pod_of(const std::string& ns, const std::string& name, const std::string& version) {
  ObjectDecoder decoder({});
  return decoder
      .decode(fmt::format(R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{}",)"
                          R"("namespace":"{}","uid":"{}","resourceVersion":"{}"}}}})",
                          name, ns, name, version))
      .value();
}

TEST_CASE("A namespace that is joined later is recorded from then on") {
  RecordingRig rig;
  {
    Recorder recorder(rig.open(), rig.clock, [](const Error&) {});
    const auto join = [&](const std::string& ns, bool late) -> EventHandler& {
      return recorder.handler(recorder.add_scope({pod_type(), ns, "", "", "", late}).value(),
                              nullptr);
    };
    const auto listed = [&](const std::string& ns, const std::string& name,
                            const std::string& version) {
      Change change = rig.at_now(make_added(pod_of(ns, name, version)), ChangeSource::list);
      change.initial = true;
      return change;
    };
    EventHandler& first = join("a", false);
    recorder.start();
    first.on_add(listed("a", "one", "1"));
    first.on_synced({"1", 1});
    first.on_add(rig.at_now(make_added(pod_of("a", "two", "2"))));
    rig.clock.advance(std::chrono::minutes(1));
    EventHandler& later = join("b", true);
    later.on_add(listed("b", "three", "3"));
    later.on_synced({"3", 1});
    later.on_delete(rig.at_now(make_deleted(pod_of("b", "three", "4"))));
    rig.clock.advance(std::chrono::minutes(1));
    EventHandler& again = join("b", true);  // it was left meanwhile
    again.on_add(listed("b", "four", "5"));
    again.on_synced({"5", 1});
    CHECK_FALSE(recorder.has_failed());
  }
  CHECK(rig.play() == Lines{"ADDED one@1 initial", "SYNCED 1", "ADDED two@2",
                            "ADDED three@3 (relist)", "DELETED three@4", "ADDED four@5 (relist)"});
  const auto gaps = rig.read()->gaps().value();
  REQUIRE(gaps.size() == 1);
  CHECK(gaps[0].reason == "b was left");
  CHECK((gaps[0].begin == FakeClock::kStart + std::chrono::minutes(1)));
  CHECK((gaps[0].end == FakeClock::kStart + std::chrono::minutes(2)));
}

TEST_CASE("A failure ends the recording, but not the changes of the handlers") {
  RecordingRig rig;
  RecordingHandler inner;
  std::optional<Error> failure;
  auto writer = rig.open();
  const std::size_t pods = rig.add_pods(*writer);
  writer->commit(rig.clock.wall()).value();
  Database::open(rig.path, OpenMode::write).value()->run("DROP TABLE version").value();
  Recorder recorder(std::move(writer), rig.clock, [&](const Error& error) { failure = error; });
  EventHandler& handler = recorder.handler(pods, &inner);
  recorder.start();
  handler.on_add(rig.at_now(make_added(recorded_pod("a", "1"))));
  recorder.finish();
  REQUIRE(failure);
  CHECK(failure->message.find("no such table: version") != std::string::npos);
  CHECK(recorder.has_failed());
  handler.on_add(rig.at_now(make_added(recorded_pod("b", "2"))));
  CHECK(inner.count() == 2);
}

TEST_CASE("A clock that is set back is noted, and moments before and after it are found") {
  RecordingRig rig;
  {
    Recorder recorder(rig.open(), rig.clock, [](const Error&) {});
    EventHandler& handler = recorder.handler(add_pods(recorder), nullptr);
    Change first = rig.at_now(make_added(recorded_pod("a", "1")), ChangeSource::list);
    first.initial = true;
    handler.on_add(first);
    handler.on_synced({"1", 1});
    const auto update = [&](const char* before, const char* after) {
      rig.clock.advance(std::chrono::minutes(10));
      handler.on_update(
          rig.at_now(make_updated(recorded_pod("a", before), recorded_pod("a", after))));
      recorder.step();
    };
    update("1", "2");                                  // 10:24
    update("2", "3");                                  // 10:34
    rig.clock.set_wall_by(-std::chrono::minutes(30));  // 10:04
    update("3", "4");                                  // 10:14 again
    rig.clock.advance(std::chrono::minutes(30));
    update("4", "5");  // 10:54
    recorder.finish();
  }
  const auto reader = rig.read();
  const auto at = [&](int minutes) {
    return reader->seq_at(FakeClock::kStart + std::chrono::minutes(minutes)).value();
  };
  CHECK(at(5) == 1);
  CHECK(at(15) == 2);
  CHECK(at(25) == 4);  // everything until the clock was behind no longer
  CHECK(at(45) == 5);
  const auto gaps = reader->gaps().value();
  REQUIRE(gaps.size() == 1);
  CHECK(gaps.front().reason == "the clock went back by 30m0s");
  CHECK(gaps.front().type == 0);
}

TEST_CASE("A clock that is set forward by more than two seconds is noted") {
  RecordingRig rig;
  Recorder recorder(rig.open(), rig.clock, [](const Error&) {});
  add_pods(recorder);
  rig.clock.set_wall_by(std::chrono::seconds(1));
  rig.clock.advance(std::chrono::seconds(5));
  recorder.step();
  CHECK(recorder.totals().gaps == 0);
  rig.clock.set_wall_by(std::chrono::hours(8));
  rig.clock.advance(std::chrono::seconds(5));
  recorder.step();
  CHECK(recorder.totals().gaps == 1);
}

TEST_CASE("A change is durable a fifth of a second later") {
  RecordingRig rig;
  Recorder recorder(rig.open(), rig.clock, [](const Error&) {});
  EventHandler& handler = recorder.handler(add_pods(recorder), nullptr);
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
