// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/recording_writer.h"

#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <random>

#include "kinf/print/secret_mask.h"
#include "unit/recording/recording_rig.h"

namespace kinf::test {
namespace {

using namespace std::chrono_literals;
using Lines = std::vector<std::string>;

/// A status of about `bytes` bytes, of which a part depends on `number`.
std::string status_of(int number, std::size_t bytes) {
  std::string text = R"({"phase":"Running","containerStatuses":[)";
  for (std::uint32_t i = 1; text.size() < bytes; ++i) {
    text +=
        fmt::format(R"({{"name":"sidecar-{}","image":"registry.example/{}:v{}","imageID":"{:08x}",)"
                    R"("ready":true,"restartCount":0,"started":true}},)",
                    i, i * 7, i % 9, i * 2654435761U);
  }
  text.back() = ']';
  return text + fmt::format(R"(,"observedGeneration":{},"conditions":[{{"type":"Ready",)"
                            R"("lastTransitionTime":"2026-11-21T10:14:{:02}Z"}}]}})",
                            number, number % 60);
}

TEST_CASE("What was committed survives a crash, at whatever byte the log is cut") {
  RecordingRig rig;
  const auto writer = rig.open();
  const std::size_t pods = rig.add_pods(*writer);
  rig.list(*writer, pods, {recorded_pod("a", "1")});
  std::vector<std::uintmax_t> commits;  // sizes of the log after each commit
  const std::string log = rig.path + "-wal";
  ObjectPtr last = recorded_pod("a", "1");
  for (int i = 2; i < 40; ++i) {
    ObjectPtr next = recorded_pod("a", std::to_string(i), status_of(i, 3000));
    rig.watch(*writer, pods, make_updated(last, next));
    last = std::move(next);
    commits.push_back(std::filesystem::file_size(log));
  }
  for (std::uintmax_t size = commits.front(); size <= commits.back(); size += 7919) {
    const RecordingRig copy;
    std::filesystem::copy_file(rig.path, copy.path);
    std::filesystem::copy_file(log, copy.path + "-wal");
    std::filesystem::resize_file(copy.path + "-wal", size);
    const auto reader = RecordingReader::open(copy.path).value();
    const auto whole = std::ranges::count_if(commits, [&](auto end) { return end <= size; });
    CHECK(reader->last_seq() == whole + 1);
  }
}

TEST_CASE("A log that was moved into the main file is empty, and can be cut later") {
  RecordingRig rig;
  const auto writer = rig.open();
  const std::size_t pods = rig.add_pods(*writer);
  rig.list(*writer, pods, {recorded_pod("a", "1")});
  const std::string log = rig.path + "-wal";
  ObjectPtr last = recorded_pod("a", "1");
  std::int64_t seq = 1;
  while (std::filesystem::file_size(log) > 0 && seq < 2000) {
    ObjectPtr next = recorded_pod("a", std::to_string(++seq));
    rig.watch(*writer, pods, make_updated(last, next));
    last = std::move(next);
  }
  REQUIRE(std::filesystem::file_size(log) == 0);
  rig.watch(*writer, pods, make_updated(last, recorded_pod("a", "3000")));
  const RecordingRig copy;
  std::filesystem::copy_file(rig.path, copy.path);
  std::filesystem::copy_file(log, copy.path + "-wal");
  std::filesystem::resize_file(copy.path + "-wal", std::filesystem::file_size(log) - 1);
  CHECK(RecordingReader::open(copy.path).value()->last_seq() == seq);
}

TEST_CASE("A status update of a large pod takes at most 150 bytes") {
  RecordingRig rig;
  const auto writer = rig.open();
  const std::size_t pods = rig.add_pods(*writer);
  ObjectPtr last = recorded_pod("a", "100000", status_of(0, 7000));
  rig.list(*writer, pods, {last});
  const std::int64_t before = writer->totals().bytes;
  constexpr int kUpdates = 2000;
  for (int i = 1; i <= kUpdates; ++i) {
    ObjectPtr next = recorded_pod("a", std::to_string(100000 + i), status_of(i, 7000));
    writer->write(pods, rig.at_now(make_updated(last, next))).value();
    last = std::move(next);
  }
  writer->commit(rig.clock.wall()).value();
  CHECK((writer->totals().bytes - before) / kUpdates <= 150);
  CHECK(rig.read()->last_seq() == kUpdates + 1);
}

/// Returns 64 digits without any order, as of the digest of an image.
std::string digest(std::uint64_t number) {
  std::mt19937_64 random(number);
  std::string text;
  for (int i = 0; i < 4; ++i) text += fmt::format("{:016x}", random());
  return text;
}

/// A pod of 7.6 KB with three containers, while it starts (0 to 3) and ends (4, 5).
ObjectPtr rollout_pod(int number, int stage, int version) {
  const auto time_of = [&](int since) {
    return fmt::format("2026-11-21T10:{:02}:{:02}Z", number * 3 / 60 % 60, (number + since) % 60);
  };
  std::string settings;
  for (int i = 0; i < 60; ++i) {
    settings += fmt::format(R"({{"name":"SETTING_{}","value":"{:x}","optional":true}},)", i,
                            std::mt19937_64(static_cast<std::uint64_t>(i))());
  }
  const bool ready = stage == 3 || stage == 4;
  std::string conditions;
  for (const char* type :
       {"PodReadyToStartContainers", "Ready", "ContainersReady", "Initialized"}) {
    const bool holds = ready || type == std::string("Initialized");
    conditions += fmt::format(
        R"({{"type":"{}","status":"{}","lastProbeTime":null,"lastTransitionTime":"{}"{}}},)", type,
        holds ? "True" : "False", time_of(holds ? 3 : 1),
        holds ? ""
              : R"(,"reason":"ContainersNotReady","message":"containers with unready status")");
  }
  std::string containers;
  for (int i = 0; i < 3; ++i) {
    const std::string id =
        "containerd://" + digest(static_cast<std::uint64_t>(number) * 3 + i + 99);
    const std::string state =
        stage < 2   ? R"("waiting":{"reason":"ContainerCreating"})"
        : stage < 5 ? fmt::format(R"("running":{{"startedAt":"{}"}})", time_of(2))
                    : fmt::format(R"("terminated":{{"exitCode":0,"reason":"Completed",)"
                                  R"("startedAt":"{}","finishedAt":"{}","containerID":"{}"}})",
                                  time_of(2), time_of(9), id);
    containers += fmt::format(
        R"({{"name":"container-{0}","state":{{{1}}},"lastState":{{}},"ready":{2},"restartCount":0,)"
        R"("image":"registry.example.com/shop/{0}:v1.31","imageID":"{3}","containerID":"{4}",)"
        R"("started":{2}}},)",
        i, state, ready, stage < 2 ? "" : "sha256:" + digest(static_cast<std::uint64_t>(i)),
        stage < 2 ? "" : id);
  }
  containers.back() = conditions.back() = settings.back() = ' ';
  const std::string ip = fmt::format("10.1.{}.{}", number / 250, number % 250);
  return recorded_pod(
      fmt::format("checkout-7d4f9b8c66-{:05x}", static_cast<std::uint32_t>(number) * 40503U),
      std::to_string(1'000'000 + version * 3),
      fmt::format(R"({{"phase":"{}","conditions":[{}],"podIP":"{}","podIPs":[{{"ip":"{}"}}],)"
                  R"("containerStatuses":[{}],"settings":[{}]}})",
                  stage < 2 ? "Pending" : "Running", conditions, stage < 2 ? "" : ip,
                  stage < 2 ? "" : ip, containers, settings),
      fmt::format("{:08x}-55aa-4b1d-9e3f-{:012x}", static_cast<std::uint32_t>(number) * 40503U,
                  number));
}

TEST_CASE("A status update of a pod with three containers takes at most 150 bytes") {
  RecordingRig rig;
  const auto writer = rig.open();
  const std::size_t pods = rig.add_pods(*writer);
  constexpr int kPods = 100;
  std::vector<ObjectPtr> last;
  for (int i = 0; i < kPods; ++i) last.push_back(rollout_pod(i, 0, i));
  rig.list(*writer, pods, last);
  Scratch scratch;
  CHECK(last.back()->json(scratch).size() > 5400);
  const std::int64_t before = writer->totals().bytes;
  int version = kPods;
  for (int i = 0; i < kPods; ++i) {
    ObjectPtr& now = last.at(static_cast<std::size_t>(i));
    for (int stage = 1; stage < 6; ++stage) {
      ObjectPtr next = rollout_pod(i, stage, ++version);
      writer->write(pods, rig.at_now(make_updated(now, next))).value();
      now = std::move(next);
      rig.clock.advance(std::chrono::milliseconds(371));
    }
  }
  writer->commit(rig.clock.wall()).value();
  const double bytes = double(writer->totals().bytes - before) / (5 * kPods);
  CAPTURE(bytes);
  CHECK(bytes <= 150);
  const auto reader = rig.read();
  for (std::int64_t seq = reader->last_seq() - 3; seq <= reader->last_seq(); ++seq) {
    std::string text;
    reader->rebuild(kPods, seq, text).value();
    CHECK(text.find(digest((kPods - 1) * 3 + 2 + 99)) != std::string::npos);
  }
}

TEST_CASE("A later session records what changed meanwhile, and the gap") {
  RecordingRig rig;
  {
    const auto writer = rig.open();
    rig.list(*writer, rig.add_pods(*writer),
             {recorded_pod("same", "1"), recorded_pod("changed", "2"), recorded_pod("gone", "3"),
              recorded_pod("new-uid", "4", "{}", "u4")});
  }
  rig.clock.advance(std::chrono::minutes(5));
  {
    const auto writer = rig.open();
    rig.list(*writer, rig.add_pods(*writer),
             {recorded_pod("same", "1"), recorded_pod("changed", "5"),
              recorded_pod("new-uid", "6", "{}", "u6"), recorded_pod("new", "7", "{}", "u7")});
    CHECK(writer->totals().objects == 4);
    CHECK(writer->totals().versions == 5);
    CHECK(writer->totals().gaps == 1);
  }
  const auto gaps = rig.read()->gaps().value();
  REQUIRE(gaps.size() == 1);
  CHECK((gaps[0].begin == FakeClock::kStart));
  CHECK((gaps[0].end == FakeClock::kStart + std::chrono::minutes(5)));
  CHECK(rig.play() == Lines{"ADDED same@1 initial", "ADDED changed@2 initial",
                            "ADDED gone@3 initial", "ADDED new-uid@4 initial", "SYNCED 4",
                            "DELETED gone@3 unknown (relist)", "MODIFIED changed@2->5 (relist)",
                            "DELETED new-uid@4 unknown (relist)",
                            "ADDED new-uid@6 recreated (relist)", "ADDED new@7 (relist)"});
}

TEST_CASE("Only the objects of earlier sessions that a list lacks are recorded as deleted") {
  RecordingRig rig;
  {
    const auto writer = rig.open();
    rig.list(*writer, rig.add_pods(*writer), {recorded_pod("b", "1"), recorded_pod("a", "2")});
  }
  const auto writer = rig.open();
  const std::size_t pods = rig.add_pods(*writer);
  rig.list(*writer, pods, {});
  rig.watch(*writer, pods, make_added(recorded_pod("a", "3", "{}", "u3")));
  CHECK(writer->totals().objects == 1);
  CHECK(rig.play() == Lines{"ADDED b@1 initial", "ADDED a@2 initial", "SYNCED 2",
                            "DELETED a@2 unknown (relist)", "DELETED b@1 unknown (relist)",
                            "ADDED a@3"});
}

TEST_CASE("The objects of a type that is gone are recorded as deleted once, after a gap") {
  RecordingRig rig;
  {
    const auto writer = rig.open();
    rig.list(*writer, rig.add_pods(*writer), {recorded_pod("b", "1"), recorded_pod("a", "2")});
  }
  bool exists = true;
  int asked = 0;
  const auto end_types = [&] {
    const auto writer = rig.open();
    const std::size_t ended = writer
                                  ->end_types(
                                      [&](const GroupVersionResource& type) {
                                        ++asked;
                                        CHECK(type == pod_type().type.gvr);
                                        return exists;
                                      },
                                      rig.clock.wall())
                                  .value();
    writer->commit(rig.clock.wall()).value();
    return ended;
  };
  CHECK(end_types() == 0);
  rig.clock.advance(5min);
  exists = false;
  CHECK(end_types() == 1);
  CHECK(asked == 2);
  CHECK(end_types() == 0);
  CHECK(asked == 2);  // it has no objects any more
  const auto gaps = rig.read()->gaps().value();
  REQUIRE(gaps.size() == 1);
  CHECK(gaps[0].end - gaps[0].begin == 5min);
  CHECK(rig.play() == Lines{"ADDED b@1 initial", "ADDED a@2 initial", "SYNCED 2",
                            "DELETED a@2 unknown (relist)", "DELETED b@1 unknown (relist)"});
}

TEST_CASE("A gap begins when the last session last heard from the server") {
  RecordingRig rig;
  {
    const auto writer = rig.open();
    const std::size_t pods = rig.add_pods(*writer);
    rig.list(*writer, pods, {recorded_pod("a", "1")});
    rig.clock.advance(std::chrono::minutes(2));
    writer->heard(pods, rig.clock.wall());
    rig.clock.advance(std::chrono::minutes(5));
    // The session goes on, but changes of this time may not have arrived.
    writer->commit(rig.clock.wall()).value();
  }
  rig.clock.advance(std::chrono::minutes(1));
  {
    const auto writer = rig.open();
    rig.list(*writer, rig.add_pods(*writer), {recorded_pod("a", "1")});
  }
  const auto gaps = rig.read()->gaps().value();
  REQUIRE(gaps.size() == 1);
  CHECK((gaps[0].begin == FakeClock::kStart + std::chrono::minutes(2)));
  CHECK((gaps[0].end == FakeClock::kStart + std::chrono::minutes(8)));
}

/// The gaps of a recording: `0s to 5s: reason`, since the start of the clock.
Lines gaps_of(RecordingRig& rig) {
  Lines lines;
  const auto seconds = [](Clock::Wall time) { return (time - FakeClock::kStart) / 1s; };
  for (const RecordedGap& gap : rig.read()->gaps().value()) {
    lines.push_back(
        fmt::format("{}s to {}s: {}", seconds(gap.begin), seconds(gap.end), gap.reason));
  }
  return lines;
}

TEST_CASE("Each list that replaces a watch leaves a gap, whether or not it found a difference") {
  RecordingRig rig;
  const auto writer = rig.open();
  const std::size_t pods = rig.add_pods(*writer);
  rig.list(*writer, pods, {recorded_pod("a", "1")});
  const Clock::Wall watched = rig.clock.wall();
  rig.clock.advance(5s);
  const Clock::Wall first = rig.clock.wall();
  writer->relisted(pods, {watched, first, "resourceVersion 1 expired"}).value();
  rig.clock.advance(5s);
  writer->relisted(pods, {first, rig.clock.wall(), "the watch was refused: no"}).value();
  writer
      ->write(pods, rig.at_now(make_updated(recorded_pod("a", "1"), recorded_pod("a", "7")),
                               ChangeSource::relist))
      .value();
  writer
      ->write(pods,
              rig.at_now(make_added(recorded_pod("b", "8", "{}", "u2")), ChangeSource::relist))
      .value();
  writer->commit(rig.clock.wall()).value();
  CHECK(gaps_of(rig) ==
        Lines{"0s to 5s: resourceVersion 1 expired", "5s to 10s: the watch was refused: no"});
  CHECK(writer->totals().gaps == 2);
}

TEST_CASE("A kill between a gap and the changes of its list leaves no time without a gap") {
  RecordingRig rig;
  {
    const auto writer = rig.open();
    const std::size_t pods = rig.add_pods(*writer);
    rig.list(*writer, pods, {recorded_pod("a", "1")});
    const Clock::Wall watched = rig.clock.wall();
    rig.clock.advance(5s);
    writer->relisted(pods, {watched, rig.clock.wall(), "resourceVersion 1 expired"}).value();
    writer->commit(rig.clock.wall()).value();
  }
  rig.clock.advance(5s);
  const auto writer = rig.open();
  rig.list(*writer, rig.add_pods(*writer), {recorded_pod("a", "7")});
  CHECK(gaps_of(rig) ==
        Lines{"0s to 5s: resourceVersion 1 expired", "5s to 10s: kinf was stopped"});
}

TEST_CASE("The reason of a gap is short, and a gap never ends before it begins") {
  RecordingRig rig;
  const auto writer = rig.open();
  const std::size_t pods = rig.add_pods(*writer);
  rig.list(*writer, pods, {});
  const Clock::Wall now = rig.clock.wall();
  writer->relisted(pods, {now + 1h, now, std::string(100'000, 'x')}).value();
  writer->commit(now).value();
  const auto gaps = rig.read()->gaps().value();
  REQUIRE(gaps.size() == 1);
  CHECK(gaps[0].reason.size() < 1000);
  CHECK((gaps[0].begin == gaps[0].end));
}

TEST_CASE("A session with other selectors or masks is refused") {
  RecordingRig rig;
  {
    const auto writer = rig.open();
    rig.list(*writer, rig.add_pods(*writer), {});
  }
  {
    const auto writer = rig.open();
    const auto added = writer->add_scope({pod_type(), "", "", "app=web", ""});
    REQUIRE_FALSE(added);
    CHECK(added.error().kind == ErrorKind::usage);
  }
  WriterOptions masking;
  masking.mask_secret = mask_recorded_secret;
  const auto masked = RecordingWriter::open(rig.path, masking, rig.clock.wall());
  REQUIRE_FALSE(masked);
  CHECK(masked.error().kind == ErrorKind::usage);
}

TEST_CASE("A session that selects more or fewer of the same objects is refused") {
  RecordingRig rig;
  const auto add = [&](const std::string& ns) {
    return rig.open()->add_scope({pod_type(), ns, "", "", ""});
  };
  {
    const auto writer = rig.open();
    rig.list(*writer, writer->add_scope({pod_type(), "default", "", "", ""}).value(),
             {recorded_pod("a", "1")});
  }
  rig.clock.advance(std::chrono::minutes(1));
  const auto more = add("");
  REQUIRE_FALSE(more);
  CHECK(more.error().kind == ErrorKind::usage);
  CHECK(more.error().message == rig.path + " holds pods of another selection");
  CHECK(more.error().hint == "use that selection (-n default), or record to another file");
  CHECK_FALSE(rig.open()->add_scope({pod_type(), "default", "a", "", ""}));
  CHECK(add("default"));
  CHECK((rig.read()->ends() == FakeClock::kStart));  // refused sessions leave nothing
}

TEST_CASE("Where the namespaces of two sessions differ, the recording has gaps") {
  RecordingRig rig;
  const auto record = [&](const std::string& ns, const std::vector<ObjectPtr>& pods) {
    const auto writer = rig.open();
    rig.list(*writer, writer->add_scope({pod_type(), ns, "", "", ""}).value(), pods);
    return writer->totals().gaps;
  };
  CHECK(record("default", {recorded_pod("a", "1")}) == 0);
  rig.clock.advance(std::chrono::minutes(1));
  CHECK(record("other", {}) == 1);
  const auto gaps = rig.read()->gaps().value();
  REQUIRE(gaps.size() == 2);
  for (const RecordedGap& gap : gaps) {
    CHECK((gap.begin == FakeClock::kStart));
    CHECK((gap.end == FakeClock::kStart + std::chrono::minutes(1)));
  }
  CHECK(gaps[0].ns != gaps[1].ns);
  const RecordedGap& open = gaps[0].is_open ? gaps[0] : gaps[1];
  const RecordedGap& closed = gaps[0].is_open ? gaps[1] : gaps[0];
  CHECK(open.is_open);
  CHECK(open.ns == "default");
  CHECK(open.reason == "no longer selected");
  CHECK_FALSE(closed.is_open);
  CHECK(closed.reason == "other was not selected");
}

TEST_CASE("Values of Secrets are not in the file") {
  RecordingRig rig;
  WriterOptions options;
  options.mask_secret = mask_recorded_secret;
  {
    const auto writer = rig.open(options);
    RecordedType secrets;
    secrets.type = {{"", "v1", "secrets"}, "Secret", "secret", true};
    const std::size_t scope = writer->add_scope({secrets, "", "", "", ""}).value();
    ObjectDecoder decoder({});
    const auto secret = [&](const std::string& version) {
      return decoder
          .decode(R"({"metadata":{"name":"s","namespace":"default","uid":"u","resourceVersion":")" +
                  version + R"("},"data":{"key":"c2VjcmV0IQ=="}})")
          .value();
    };
    rig.list(*writer, scope, {secret("1")});
    rig.watch(*writer, scope, make_updated(secret("1"), secret("2")));
  }
  const auto reader = rig.read();
  CHECK(reader->masks_secrets());
  std::string text;
  reader->rebuild(1, 2, text).value();
  CHECK(mask_secret(VersionText::split(text).json)->find(R"("key":"<7 bytes>")") !=
        std::string::npos);
  CHECK(rig.folder.read("pods.kinf").find("c2VjcmV0") == std::string::npos);
}

TEST_CASE("Every version comes back, also after older ones were dropped") {
  RecordingRig rig;
  WriterOptions options;
  options.keep = std::chrono::minutes(75);
  constexpr int kVersions = 150;
  {
    const auto writer = rig.open(options);
    const std::size_t pods = rig.add_pods(*writer);
    std::array<ObjectPtr, 3> last;
    for (int i = 0; i < kVersions; ++i) {
      ObjectPtr& pod = last.at(static_cast<std::size_t>(i) % last.size());
      const std::string name = "pod-" + std::to_string(static_cast<std::size_t>(i) % last.size());
      ObjectPtr next = recorded_pod(name, std::to_string(i + 1), status_of(i, 2000));
      rig.watch(*writer, pods, pod ? make_updated(pod, next) : make_added(next));
      pod = std::move(next);
      rig.clock.advance(std::chrono::minutes(1));
    }
  }
  const auto reader = rig.read();
  const std::int64_t first = reader->seq_at(Clock::Wall()).value() + 1;
  CHECK(first > 50);
  std::string text;
  for (std::int64_t seq = first + 3; seq <= kVersions; ++seq) {
    reader->rebuild((seq - 1) % 3 + 1, seq, text).value();
    CHECK(text.find(fmt::format(R"("resourceVersion":"{}")", seq)) != std::string::npos);
    CHECK(text.ends_with(status_of(static_cast<int>(seq) - 1, 2000) + "}"));
  }
}

TEST_CASE("Old history is dropped, and the oldest kept state stays whole") {
  RecordingRig rig;
  WriterOptions options;
  options.keep = std::chrono::hours(1);
  {
    const auto writer = rig.open(options);
    const std::size_t pods = rig.add_pods(*writer);
    ObjectPtr a = recorded_pod("a", "1", status_of(1, 500));
    rig.list(*writer, pods, {a, recorded_pod("quiet", "2"), recorded_pod("gone", "3")});
    rig.watch(*writer, pods, make_deleted(recorded_pod("gone", "4")));
    for (int i = 10; i < 20; ++i) {
      rig.clock.advance(std::chrono::minutes(10));
      ObjectPtr next = recorded_pod("a", std::to_string(i), status_of(i, 500));
      rig.watch(*writer, pods, make_updated(a, next));
      a = std::move(next);
    }
  }
  // The last commit is at 1h40m: what is older than 40 minutes is gone.
  CHECK(rig.play() == Lines{"ADDED quiet@2 initial", "ADDED a@12 initial", "SYNCED 2",
                            "MODIFIED a@12->13", "MODIFIED a@13->14", "MODIFIED a@14->15",
                            "MODIFIED a@15->16", "MODIFIED a@16->17", "MODIFIED a@17->18",
                            "MODIFIED a@18->19"});
  CHECK(RecordingPlayer::create(rig.read(), {.begin = FakeClock::kStart},
                                *std::make_unique<ReplayClock>(rig.clock))
            .error()
            .kind == ErrorKind::usage);
}

TEST_CASE("A recording continues only with the cluster that it holds") {
  RecordingRig rig;
  const auto open = [&](const std::string& address, const std::string& cluster) {
    WriterOptions options;
    options.server = {.address = address, .cluster = cluster};
    auto writer = RecordingWriter::open(rig.path, std::move(options), rig.clock.wall());
    if (!writer) {
      CHECK(writer.error().kind == ErrorKind::usage);
      CHECK(writer.error().hint == "record to another file");
      return writer.error().message.substr(rig.path.size());
    }
    (*writer)->commit(rig.clock.wall()).value();
    return std::string("continues");
  };
  CHECK(open("https://one", "") == "continues");
  CHECK(open("https://two", "1") ==
        " holds another cluster: https://one, not https://two "
        "(kube-system has the UID 1)");
  CHECK(open("https://one", "1") == "continues");  // only the addresses can be compared
  CHECK(open("https://two", "1") == "continues");  // the server has moved
  CHECK(open("https://two", "2") ==
        " holds another cluster: https://two (kube-system has the UID "
        "1), not https://two (kube-system has the UID 2)");
  CHECK(open("https://two", "") == "continues");
  CHECK(open("https://one", "") ==
        " holds another cluster: https://two (kube-system has the UID "
        "1), not https://one");
  CHECK(open("https://two", "2") != "continues");
}

}  // namespace
}  // namespace kinf::test
