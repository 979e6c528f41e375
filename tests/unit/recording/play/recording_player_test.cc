// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/play/recording_player.h"

#include <doctest/doctest.h>

#include <set>
#include <stop_token>

#include "kinf/base/timestamp.h"
#include "unit/cli/runtime/captured_stream.h"
#include "unit/recording/recording_rig.h"

namespace kinf::test {
namespace {

using Lines = std::vector<std::string>;

/// A rig with three moments, one minute apart.
struct Minutes : RecordingRig {
  Minutes() {
    const auto writer = open();
    const std::size_t pods = add_pods(*writer);
    list(*writer, pods, {recorded_pod("a", "1"), recorded_pod("b", "2", "{}", "u2")});
    clock.advance(std::chrono::minutes(1));
    watch(*writer, pods, make_updated(recorded_pod("a", "1"), recorded_pod("a", "3")));
    watch(*writer, pods, make_added(recorded_pod("c", "4", "{}", "u4")));
    clock.advance(std::chrono::minutes(1));
    watch(*writer, pods, make_deleted(recorded_pod("b", "5", "{}", "u2")));
    watch(*writer, pods, make_updated(recorded_pod("a", "3"), recorded_pod("a", "6")));
  }
};

TEST_CASE("A recording plays as the changes that were recorded") {
  CHECK(Minutes().play() == Lines{"ADDED a@1 initial", "ADDED b@2 initial", "SYNCED 2",
                                  "MODIFIED a@1->3", "ADDED c@4", "DELETED b@5",
                                  "MODIFIED a@3->6"});
}

TEST_CASE("A recording plays from a moment on") {
  CHECK(Minutes().play({.begin = FakeClock::kStart + std::chrono::seconds(90)}) ==
        Lines{"ADDED b@2 initial", "ADDED a@3 initial", "ADDED c@4 initial", "SYNCED 3",
              "DELETED b@5", "MODIFIED a@3->6"});
}

TEST_CASE("One object plays the same whether the others are read or not") {
  Minutes rig;
  rig.clock.advance(std::chrono::minutes(1));
  {
    const auto writer = rig.open();
    rig.list(*writer, rig.add_pods(*writer), {recorded_pod("b", "8"), recorded_pod("c", "9")});
  }
  for (const std::string name : {"a", "b", "c", "none"}) {
    CAPTURE(name);
    for (const int seconds : {0, 30, 90, 170}) {
      const PlayedTime skipping{.begin = FakeClock::kStart + std::chrono::seconds(seconds)};
      PlayedTime reading = skipping;
      reading.every_time = true;
      CHECK(rig.play(skipping, name) == rig.play(reading, name));
    }
    CHECK(rig.play({}, name) == rig.play({.every_time = true}, name));
  }
  CHECK(rig.play({}, "a") == Lines{"ADDED a@1 initial", "SYNCED 1", "MODIFIED a@1->3",
                                   "MODIFIED a@3->6", "DELETED a@6 unknown (relist)"});
}

/// Plays the pods of Minutes.
struct PlayedMinutes {
  PlayedMinutes() {
    PlayedSelection pods;
    pods.type = pod_type().type;
    source = player->add_source(std::move(pods)).value();
  }
  Minutes rig;
  ReplayClock clock{rig.clock};
  std::unique_ptr<RecordingPlayer> player = RecordingPlayer::create(rig.read(), {}, clock).value();
  std::unique_ptr<ListerWatcher> source;
};

TEST_CASE("A recording plays until a moment") {
  const auto end = FakeClock::kStart + std::chrono::seconds(90);
  CHECK(Minutes().play({.end = end}) == Lines{"ADDED a@1 initial", "ADDED b@2 initial", "SYNCED 2",
                                              "MODIFIED a@1->3", "ADDED c@4"});
  CHECK(Minutes().play({.begin = end, .end = end}) ==
        Lines{"ADDED b@2 initial", "ADDED a@3 initial", "ADDED c@4 initial", "SYNCED 3"});
  Minutes rig;
  ReplayClock clock(rig.clock);
  const auto player = RecordingPlayer::create(
      rig.read(), {.begin = end, .end = end - std::chrono::seconds(1)}, clock);
  REQUIRE_FALSE(player);
  CHECK(player.error().message ==
        rig.path + " has nothing to play until " + local_time_text(end - std::chrono::seconds(1)));
}

TEST_CASE("A recording says when the next change is due") {
  PlayedMinutes played;
  std::vector<std::int64_t> minutes;
  do {
    const std::optional<Clock::Wall> next = played.player->next_time().value();
    if (!next) break;
    minutes.push_back((*next - FakeClock::kStart) / std::chrono::minutes(1));
  } while (played.player->advance().value());
  CHECK(minutes == std::vector<std::int64_t>{0, 0, 0, 1, 1, 2, 2});
  CHECK_FALSE(played.player->next_time().value());
}

TEST_CASE("A recording shows the state of a moment, or the last one") {
  CHECK(Minutes().play({.begin = FakeClock::kStart, .only_state = true}) ==
        Lines{"ADDED a@1 initial", "ADDED b@2 initial", "SYNCED 2"});
  CHECK(Minutes().play({.only_state = true}) ==
        Lines{"ADDED c@4 initial", "ADDED a@6 initial", "SYNCED 2"});
}

TEST_CASE("The gaps of one state are reported before its list") {
  RecordingRig rig;
  {
    const auto writer = rig.open();
    rig.list(*writer, rig.add_pods(*writer), {recorded_pod("a", "1")});
  }
  rig.clock.advance(std::chrono::minutes(1));
  {
    auto configmaps = pod_type();
    configmaps.type.gvr.resource = "configmaps";
    const auto writer = rig.open();
    rig.list(*writer, writer->add_scope({configmaps, "", "", "", ""}).value(), {});
  }
  ReplayClock clock(rig.clock);
  const auto player = RecordingPlayer::create(rig.read(), {.only_state = true}, clock).value();
  PlayedSelection pods;
  pods.type = pod_type().type;
  const auto source = player->add_source(std::move(pods)).value();
  bool is_more = false;
  const std::string notice = captured(STDERR_FILENO, [&] { is_more = player->advance().value(); });
  CHECK(is_more);
  CHECK(notice.find("pods: not recorded from ") != std::string::npos);
}

TEST_CASE("A moment before the recording is refused") {
  Minutes rig;
  ReplayClock clock(rig.clock);
  const auto player = RecordingPlayer::create(
      rig.read(), {.begin = FakeClock::kStart - std::chrono::seconds(1)}, clock);
  REQUIRE_FALSE(player);
  CHECK(player.error().message == rig.path + " begins later than " +
                                      local_time_text(FakeClock::kStart - std::chrono::seconds(1)) +
                                      ", at " + local_time_text(FakeClock::kStart));
}

TEST_CASE("Objects that were not recorded are refused") {
  RecordingRig rig;
  {
    const auto writer = rig.open();
    rig.list(*writer, writer->add_scope({pod_type(), "shop", "", "", ""}).value(), {});
    rig.list(*writer, writer->add_scope({pod_type(), "web", "a", "", ""}).value(), {});
  }
  const auto reader = rig.read();
  const std::int64_t pods = reader->id_of(pod_type().type);
  CHECK(reader->check_selected(pods, "shop", "any"));
  CHECK(reader->check_selected(pods, "", ""));
  CHECK(reader->check_selected(pods, "web", "a"));
  CHECK_FALSE(reader->check_selected(pods, "web", "b"));
  ReplayClock clock(rig.clock);
  const auto player = RecordingPlayer::create(rig.read(), {}, clock).value();
  PlayedSelection other;
  other.type = pod_type().type;
  other.ns = "other";
  const auto source = player->add_source(other);
  REQUIRE_FALSE(source);
  CHECK(source.error().kind == ErrorKind::usage);
  CHECK(source.error().message == rig.path + " holds no pods of other");
  CHECK(source.error().hint == "it holds those of shop, web/a");
}

TEST_CASE("The clock shows the time of each change, and the end") {
  PlayedMinutes played;
  std::vector<std::int64_t> seconds;
  const auto note = [&] {
    seconds.push_back(
        std::chrono::duration_cast<std::chrono::seconds>(played.clock.wall() - FakeClock::kStart)
            .count());
  };
  while (played.player->advance().value()) note();
  note();
  CHECK(seconds == std::vector<std::int64_t>{0, 0, 0, 60, 60, 120, 120, 120});
}

TEST_CASE("An object that is replaced under its name plays as it was recorded") {
  RecordingRig rig;
  const auto writer = rig.open();
  const std::size_t pods = rig.add_pods(*writer);
  rig.list(*writer, pods, {recorded_pod("a", "1")});
  Change deleted = make_deleted(recorded_pod("a", "1"));
  deleted.final_state_unknown = true;
  rig.watch(*writer, pods, deleted);
  Change added = make_added(recorded_pod("a", "2", "{}", "other"));
  added.recreated = true;
  rig.watch(*writer, pods, added);
  CHECK(rig.play() ==
        Lines{"ADDED a@1 initial", "SYNCED 1", "DELETED a@1 unknown", "ADDED a@2 recreated"});
}

TEST_CASE("The documents, managers and cells come back unchanged") {
  RecordingRig rig;
  const auto columns = std::make_shared<const TableColumns>(
      TableColumns{{{"Name", "string", "name", "The \"name\"", 0}, {"Age", "string", "", "", 1}}});
  VersionDecoder decoder({});
  const std::string json =
      R"({ "metadata":{"name":"a","namespace":"default","uid":"u","resourceVersion":"1",)"
      R"("managedFields":[{"manager":"kubelet","time":"2026-11-21T10:14:00Z"}]},"n":1.10})";
  const ObjectPtr pod = ObjectDecoder({}).decode(json, {R"(["a","3d"])", columns, ""}).value();
  {
    const auto writer = rig.open();
    rig.list(*writer, rig.add_pods(*writer), {pod});
  }
  const auto reader = rig.read();
  const auto version = reader->next(reader->last_seq()).value();
  REQUIRE(version);
  std::string text;
  reader->rebuild(version->object, version->version.seq, text).value();
  const ObjectPtr found =
      reader->state_object(version->object, version->version, text, decoder).value().object;
  Scratch scratch;
  CHECK(found->json(scratch) == pod->json(scratch));
  CHECK(found->manager() == "kubelet");
  CHECK(found->cells() == R"(["a","3d"])");
  REQUIRE(found->columns() != nullptr);
  CHECK(*found->columns() == *columns);
}

TEST_CASE("A version has the manager of its change, not of an earlier one") {
  RecordingRig rig;
  ObjectDecoder decoder({});
  const auto pod = [&](const char* version, const char* more = "", const char* time = "") {
    return decoder
        .decode(fmt::format(R"({{"metadata":{{"name":"a","namespace":"default","uid":"u",)"
                            R"("resourceVersion":"{}",{}"managedFields":[{{"manager":"kubelet",)"
                            R"("subresource":"status","time":"{}"}}]}}}})",
                            version, more, time))
        .value();
  };
  constexpr auto kDeleting = R"("deletionTimestamp":"2026-11-23T10:00:00Z",)";
  {
    const auto writer = rig.open();
    const std::size_t scope = rig.add_pods(*writer);
    rig.list(*writer, scope, {pod("1")});
    rig.watch(*writer, scope, make_updated(pod("1"), pod("2", kDeleting)));
    rig.watch(*writer, scope,
              make_updated(pod("2", kDeleting), pod("3", kDeleting, "2026-11-23T10:00:09Z")));
  }
  const auto reader = rig.read();
  std::vector<std::string> managers;
  VersionDecoder versions({});
  while (const auto version = reader->next(reader->last_seq()).value()) {
    std::string text;
    reader->rebuild(version->object, version->version.seq, text).value();
    managers.emplace_back(reader->state_object(version->object, version->version, text, versions)
                              .value()
                              .object->manager());
  }
  CHECK(managers == std::vector<std::string>{"kubelet (status)", "", "kubelet (status)"});
}

TEST_CASE("Several threads rebuild a large state, and end on a stop") {
  RecordingRig rig;
  constexpr int kPods = 4500;
  {
    const auto writer = rig.open();
    const std::size_t pods = rig.add_pods(*writer);
    for (int i = 1; i <= kPods; ++i) {
      const std::string name = "pod-" + std::to_string(i);
      writer->write(pods, rig.at_now(make_added(recorded_pod(name, std::to_string(i))))).value();
    }
    rig.watch(*writer, pods, make_deleted(recorded_pod("pod-1", "5000")));
  }
  const auto reader = rig.read();
  const std::int64_t pods = reader->id_of(pod_type().type);
  const auto state = reader->state({.seq = kPods, .type = pods}, {}).value();
  std::set<std::string> found;
  for (const StateObject& one : state) {
    CHECK(one.object->name() == "pod-" + one.version.resource_version);
    CHECK(one.is_faithful);
    found.insert(one.version.resource_version);
  }
  CHECK(found.size() == kPods);
  CHECK(reader->state({.seq = reader->last_seq(), .type = pods}, {}).value().size() == kPods - 1);
  const StateQuery one_pod{.seq = kPods, .type = pods, .ns = "default", .name = "pod-7"};
  CHECK(reader->state(one_pod, {}).value().size() == 1);
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = reader->state({.seq = kPods, .type = pods}, {}, stop.get_token());
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == ErrorKind::stopped);
}

TEST_CASE("Fields can be left out of recorded objects") {
  Minutes rig;
  ReplayClock replay(rig.clock);
  const auto player = RecordingPlayer::create(rig.read(), {}, replay).value();
  PlayedSelection pods;
  pods.type = pod_type().type;
  pods.parts.decode.form = ObjectForm::metadata;
  SharedInformer informer(player->add_source(pods).value(), replay);
  CHECK(informer.begin());
  do {
    while (informer.step().moved) {
    }
  } while (player->advance().value());
  informer.finish();
  CHECK(informer.indexer().get_by_key("default/a")->resource_version() == "6");
}

}  // namespace
}  // namespace kinf::test
