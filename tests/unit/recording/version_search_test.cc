// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/version_search.h"

#include <doctest/doctest.h>

#include <map>
#include <random>

#include "kinf/recording/recorded_moment.h"
#include "unit/recording/recording_rig.h"

namespace kinf::test {
namespace {

/// A recording of several sessions, in which pods change, and some are gone at the next start.
struct Sessions : RecordingRig {
  explicit Sessions(unsigned seed) : random_(seed) {
    for (int session = 0; session < 4; ++session) {
      const auto writer = open();
      const std::size_t pods = add_pods(*writer);
      change_unseen();
      std::vector<ObjectPtr> listed;
      for (const auto& [name, pod] : pods_) listed.push_back(pod);
      std::ranges::shuffle(listed, random_);
      list(*writer, pods, listed);
      for (int i = 0; i < 60; ++i) change(*writer, pods);
      writer->commit(clock.wall()).value();
    }
  }

  ObjectPtr next_pod(const std::string& name) {
    version_ += 1 + random_() % 3;
    return recorded_pod(name, std::to_string(version_), "{}", "u" + name);
  }
  std::string random_name() { return "pod-" + std::to_string(random_() % 12); }

  /// Changes and deletes pods while no recorder is running.
  void change_unseen() {
    for (int i = 0; i < 8; ++i) {
      const std::string name = random_name();
      ObjectPtr pod = next_pod(name);
      if (random_() % 3 == 0) {
        pods_.erase(name);
      } else {
        pods_[name] = std::move(pod);
      }
    }
    version_ += 5;
  }
  void change(RecordingWriter& writer, std::size_t pods) {
    clock.advance(std::chrono::seconds(1));
    const std::string name = random_name();
    ObjectPtr pod = next_pod(name);
    const auto known = pods_.find(name);
    if (known == pods_.end()) {
      writer.write(pods, at_now(make_added(pod))).value();
    } else if (random_() % 5 == 0) {
      writer.write(pods, at_now(make_deleted(pod))).value();
      pods_.erase(known);
      return;
    } else {
      writer.write(pods, at_now(make_updated(known->second, pod))).value();
    }
    pods_[name] = std::move(pod);
  }

  /// Returns the versions of the pods at a resourceVersion, and the time.
  std::map<std::string, std::string> at(std::uint64_t version) const {
    const auto reader = RecordingReader::open(path).value();
    const FoundMoment moment = find_moment(*reader, {.version = version}).value();
    std::map<std::string, std::string> found;
    found["time"] = std::to_string((moment.time - FakeClock::kStart).count());
    for (const StateObject& object : reader->state({.seq = moment.seq, .type = 1}, {}).value()) {
      found.emplace(object.object->name(), object.object->resource_version());
    }
    return found;
  }
  void set_ordered(int value) const {
    const auto database = Database::open(path, OpenMode::write).value();
    database->run(fmt::format("UPDATE meta SET value = {} WHERE key = 'ordered'", value)).value();
  }
  std::optional<std::int64_t> ordered() const {
    return Database::open(path, OpenMode::read).value()->meta("ordered").value();
  }

  std::mt19937 random_;
  std::map<std::string, ObjectPtr> pods_;
  std::uint64_t version_ = 100;
};

TEST_CASE("A search that reads few versions finds what one finds that reads all") {
  for (const unsigned seed : {1U, 2U, 3U}) {
    const Sessions sessions(seed);
    REQUIRE(sessions.ordered() == 1);
    constexpr std::uint64_t kStep = 7;
    const auto first = std::uint64_t{100};  // the version of the first list, see RecordingRig
    std::vector<std::map<std::string, std::string>> quick;
    for (std::uint64_t i = first; i <= sessions.version_; i += kStep)
      quick.push_back(sessions.at(i));
    sessions.set_ordered(0);
    for (std::uint64_t i = first; i <= sessions.version_; i += kStep) {
      CAPTURE(seed);
      CAPTURE(i);
      CHECK(quick[(i - first) / kStep] == sessions.at(i));
    }
  }
}

TEST_CASE("A recording whose resourceVersions go back says so") {
  RecordingRig rig;
  const auto ordered = [&] {
    return Database::open(rig.path, OpenMode::read).value()->meta("ordered").value();
  };
  const auto writer = rig.open();
  const std::size_t pods = rig.add_pods(*writer);
  rig.list(*writer, pods, {recorded_pod("a", "90"), recorded_pod("b", "70", "{}", "u2")});
  rig.watch(*writer, pods, make_updated(recorded_pod("a", "90"), recorded_pod("a", "110")));
  rig.watch(*writer, pods, make_added(recorded_pod("c", "111", "{}", "u3")));
  CHECK(ordered() == 1);
  SUBCASE("those of a watch") {
    rig.watch(*writer, pods, make_added(recorded_pod("d", "105", "{}", "u4")));
  }
  SUBCASE("those of an object") {
    Change older = make_updated(recorded_pod("a", "110"), recorded_pod("a", "90"));
    writer->write(pods, rig.at_now(older, ChangeSource::relist)).value();
    writer->commit(rig.clock.wall()).value();
  }
  CHECK(ordered() == 0);
}

TEST_CASE("A search by resourceVersion reads few versions of a large recording") {
  RecordingRig rig;
  const auto writer = rig.open();
  const std::size_t pods = rig.add_pods(*writer);
  rig.list(*writer, pods, {recorded_pod("a", "90"), recorded_pod("b", "91", "{}", "u2")});
  constexpr int kVersions = 20'000;
  for (int i = 3; i <= kVersions; ++i) {
    const ObjectPtr pod = recorded_pod("a", std::to_string(i + 100));
    writer->write(pods, rig.at_now(make_updated(pod, pod))).value();
    rig.clock.advance(std::chrono::seconds(1));
  }
  writer->commit(rig.clock.wall()).value();
  // What is not read may be damaged.
  const auto database = Database::open(rig.path, OpenMode::write).value();
  database
      ->run(
          "UPDATE version SET resource_version = 0, time = 1 << 62 "
          "WHERE seq BETWEEN 11500 AND 19000 AND seq % 100 != 0")
      .value();
  const auto reader = rig.read();
  const FoundMoment moment = find_moment(*reader, {.version = 10'100}).value();
  CHECK((moment.time == FakeClock::kStart + std::chrono::seconds(10'000 - 3)));
  const auto state = reader->state({.seq = moment.seq, .type = 1, .name = "a"}, {}).value();
  REQUIRE(state.size() == 1);
  CHECK(state[0].object->resource_version() == "10100");
}

}  // namespace
}  // namespace kinf::test
