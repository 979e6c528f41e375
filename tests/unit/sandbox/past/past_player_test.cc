// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/past/past_player.h"

#include <doctest/doctest.h>

#include <condition_variable>
#include <mutex>

#include "kinf/base/timestamp.h"
#include "unit/recording/recording_rig.h"

namespace kinf::sandbox {
namespace {

using namespace std::chrono_literals;
using test::recorded_pod;

/// A recording with three moments, one minute apart, and a sandbox's store.
struct World : test::RecordingRig {
  World() {
    WriterOptions written;
    written.ns = "shop";
    const auto writer = open(written);
    const std::size_t pods = add_pods(*writer);
    list(*writer, pods, {recorded_pod("a", "11"), recorded_pod("b", "12", "{}", "u2")});
    clock.advance(1min);
    watch(*writer, pods,
          test::make_updated(recorded_pod("a", "11"), recorded_pod("a", "120", R"({"n":1})")));
    clock.advance(1min);
    watch(*writer, pods, test::make_deleted(recorded_pod("b", "130", "{}", "u2")));
    writer->commit(clock.wall()).value();
  }

  Result<std::unique_ptr<PastPlayer>> open_at(RecordedMoment moment, bool plays = false) {
    return PastPlayer::open(path,
                            {.moment = moment,
                             .plays = plays,
                             .on_end =
                                 [this] {
                                   const std::lock_guard lock(mutex);
                                   ended = true;
                                   changed.notify_all();
                                 }},
                            store, types, past);
  }
  std::string pods() {
    std::string text;
    for (const StoredPtr& pod : store.list("v1 pods").objects) {
      text += pod->key.name + "@" + sandbox::text(field(pod->json, "metadata", "resourceVersion"));
      text += ' ';
    }
    return text + std::to_string(store.version());
  }
  void wait_for_end() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return ended; });
  }

  ApiTypes types;
  PastClock past{clock};
  ResourceStore store{past};
  std::mutex mutex;
  std::condition_variable changed;
  bool ended = false;
};

TEST_CASE("a sandbox holds the recorded state of a moment, with its versions and its clock") {
  World w;
  const auto player = w.open_at({test::FakeClock::kStart + 90s});
  REQUIRE(player.has_value());
  CHECK(w.store.list("v1 pods").objects.size() == 2);
  CHECK(w.store.get("v1 pods", {"default", "a"})->text ==
        R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"default",)"
        R"("uid":"u1","resourceVersion":"120"},"status":{"n":1}})");
  CHECK(w.past.wall() == test::FakeClock::kStart + 90s);
  CHECK(w.types.is_read_only());
  CHECK((*player)->default_namespace() == "shop");
}

TEST_CASE("a moment may be a resourceVersion, and the clock shows when it was reached or a time") {
  World w;
  REQUIRE(w.open_at({std::nullopt, 125}).has_value());
  CHECK(w.pods().starts_with("a@120 b@12 "));
  CHECK(w.past.wall() == test::FakeClock::kStart + 1min);
  World other;
  REQUIRE(other.open_at({test::FakeClock::kStart + 7s, 100}).has_value());
  CHECK(other.pods().starts_with("a@11 b@12 "));
  CHECK(other.past.wall() == test::FakeClock::kStart + 7s);
  CHECK_FALSE(World().open_at({std::nullopt, 10}).has_value());
}

TEST_CASE("the namespaces of the objects exist, even if they were not recorded") {
  World w;
  REQUIRE(w.open_at({}).has_value());
  CHECK(w.types.find("", "v1", "namespaces") != nullptr);
  CHECK(w.types.find("", "v1", "services") == nullptr);
  std::vector<std::string> names;
  for (const auto& ns : w.store.list("v1 namespaces").objects) names.push_back(ns->key.name);
  CHECK(names == std::vector<std::string>{"default", "shop"});
}

TEST_CASE("a sandbox plays the recorded changes, at their times and with their versions") {
  World w;
  const auto player = w.open_at({test::FakeClock::kStart + 30s}, true);
  REQUIRE(player.has_value());
  const std::uint64_t before = w.store.version();
  w.clock.advance(1h);  // the clock of the past still stands
  (*player)->start();
  CHECK(w.past.wall() == test::FakeClock::kStart + 30s);
  w.clock.advance(30s);
  w.store.wait_any(before, Clock::kNever, {});
  const auto first = w.store.changes_after("v1 pods", before);
  REQUIRE(first.changes.size() == 1);
  CHECK(first.changes[0].type == StoredChangeType::modified);
  CHECK(first.version == 120);
  w.clock.advance(1min);
  w.wait_for_end();
  CHECK(w.pods() == "a@120 130");
  CHECK(w.past.wall() == test::FakeClock::kStart + 2min);
}

TEST_CASE("a player that was stopped does not start again") {
  World w;
  const auto player = w.open_at({test::FakeClock::kStart}, true);
  REQUIRE(player.has_value());
  (*player)->start();
  (*player)->stop();
  (*player)->start();
  CHECK(w.pods().starts_with("a@11 b@12 "));
}

}  // namespace
}  // namespace kinf::sandbox
