// SPDX-License-Identifier: Apache-2.0
// kinf_store_race SECONDS
//
// Runs scenario A25 for SECONDS: 8 readers and 1 writer on one store. Fails if a reader saw half a
// write, or if the writer waited longer for the lock than the longest read took: then later readers
// got the lock before it. With TSan it also finds races.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "fakes/object_builder.h"
#include "kinf/base/clock.h"
#include "kinf/cache/thread_safe_store.h"
#include "storm/lock_watch.h"

namespace kinf {
namespace {

constexpr int kReaders = 8;
constexpr std::size_t kObjects = 200;

/// Each round gives every object a new version and a new value in the index `round`.
class Race {
 public:
  bool write(std::uint64_t round) {
    const std::string version = std::to_string(round);
    std::vector<std::pair<std::string, ObjectPtr>> items;
    std::vector<StoreWrite> writes;
    for (std::size_t i = 0; i < kObjects; ++i) {
      const std::string name = fmt::format("pod-{:03}", i);
      ObjectPtr object = test::make_labelled(name, "round", version, version);
      writes.push_back({StoreWrite::Type::update, name, object});
      items.emplace_back(name, std::move(object));
    }
    return (round % 2 == 0 ? store_.replace(std::move(items), version) : store_.transaction(writes))
        .has_value();
  }

  /// Makes one read of each kind and checks that it is consistent.
  void look() {
    const std::vector<ObjectPtr> all = store_.list();
    expect(is_one_round(all));
    expect(store_.list_index_func_values("round").size() == 1);
    const std::string version(all.front()->resource_version());
    const auto some = store_.by_index("round", version);
    expect(some && (some->empty() || (some->size() == kObjects && is_one_round(*some))));
    const auto keys = store_.index_keys("round", version);
    expect(keys && (keys->empty() || keys->size() == kObjects));
    store_.with_read_lock([&](const IndexTable& table) {
      std::size_t objects = 0;
      table.for_each_value("round", [&](const std::string&, std::size_t n) { objects += n; });
      expect(objects == table.size());
    });
    ++looks;
  }

  std::atomic<std::uint64_t> looks{0};
  std::atomic<std::uint64_t> torn{0};

 private:
  static bool is_one_round(const std::vector<ObjectPtr>& objects) {
    return objects.size() == kObjects &&
           std::all_of(objects.begin(), objects.end(), [&](const ObjectPtr& object) {
             return object->resource_version() == objects.front()->resource_version();
           });
  }
  void expect(bool whole) {
    if (!whole) ++torn;
  }

  ThreadSafeStore store_{{{"round", [](const Object& object) -> Result<std::vector<std::string>> {
                             return std::vector<std::string>{
                                 std::string(object.label("round").value_or(""))};
                           }}}};
};

int run(std::chrono::seconds duration) {
  RealClock clock;
  Race race;
  std::uint64_t rounds = 0;
  bool written = race.write(rounds);
  const Clock::Mono end = clock.now() + duration;
  {
    std::vector<std::jthread> readers;
    for (int i = 0; i < kReaders; ++i) {
      readers.emplace_back([&](const std::stop_token& stop) {
        while (!stop.stop_requested()) race.look();
      });
    }
    while (clock.now() < end) written = race.write(++rounds) && written;
  }
  const test::LockReport locks = test::lock_report();
  fmt::print("{} s: {} rounds written, {} looks at them, {} torn\n", duration.count(), rounds,
             race.looks.load(), race.torn.load());
  fmt::print(
      "lock: {} reads, the longest {} ns; {} writes, the longest wait {} ns ({} not judged)\n",
      locks.reads, locks.longest_read_hold.count(), locks.writes, locks.longest_write_wait.count(),
      locks.writes_not_judged);
  const bool fair = locks.longest_write_wait <= locks.longest_read_hold &&
                    2 * locks.writes_not_judged < locks.writes;
  const bool busy = rounds > 0 && race.looks > 0 && locks.reads > 0;
  return written && race.torn == 0 && fair && busy ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace kinf

int main(int argc, char** argv) {
  const int seconds = argc == 2 ? std::atoi(argv[1]) : 0;
  if (seconds <= 0) {
    fmt::print(stderr, "usage: kinf_store_race SECONDS\n");
    return 2;
  }
  return kinf::run(std::chrono::seconds(seconds));
}
