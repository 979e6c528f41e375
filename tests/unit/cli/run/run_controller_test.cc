// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/run/run_controller.h"

#include <doctest/doctest.h>

#include <thread>

#include "fakes/change_builder.h"
#include "fakes/fake_clock.h"
#include "fakes/object_builder.h"
#include "kinf/base/log.h"

namespace kinf {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Texts = std::vector<std::string>;

/// Runs a controller on one thread with a manual clock. The test supplies the command results.
struct Bench {
  explicit Bench(RunLimits limits = {})
      : runs(
            limits, clock, {}, [this](const std::vector<RunItem>& batch) { return launch(batch); },
            false, [this] { ++given_up; }) {
    log::set_sink([this](std::string_view line) { said.emplace_back(line); });
  }
  ~Bench() { log::set_sink({}); }

  static RunKey key(const std::string& name) { return {nullptr, "default/" + name}; }
  static ObjectPtr make(const std::string& name, int version) {
    test::ObjectSpec spec;
    spec.name = name;
    spec.rv = std::to_string(version);
    spec.uid = name;
    return test::make_object(spec);
  }
  void add(const std::string& name, int version = 1) {
    runs.changed(key(name), test::make_added(make(name, version)));
  }
  void update(const std::string& name, int version) {
    runs.changed(key(name), test::make_updated(nullptr, make(name, version)));
  }
  std::optional<std::string> launch(const std::vector<RunItem>& batch) {
    std::string text;
    for (const RunItem& item : batch) {
      text += text.empty() ? "" : "+";
      text += item.change.object->name();
      text += item.change.object->resource_version();
    }
    ran.push_back(text);
    if (during) during();
    if (failures == 0) return std::nullopt;
    --failures;
    return "exit status 1";
  }
  /// Works until nothing is ready. Returns what ran.
  Texts work() {
    ran.clear();
    while (runs.try_work()) {
    }
    return ran;
  }

  test::FakeClock clock;
  RunController runs;
  int failures = 0;
  std::function<void()> during;
  Texts ran;
  Texts said;
  int given_up = 0;
};

TEST_CASE("each object is run once, with its last state") {
  Bench bench;
  bench.add("a");
  bench.add("b");
  bench.update("a", 2);
  CHECK(bench.work() == Texts{"a2", "b1"});
  CHECK(bench.work().empty());
  CHECK(bench.runs.is_idle());
}

TEST_CASE("any number of changes during a run cause one more run") {
  Bench bench;
  bench.add("a");
  bench.during = [&] {
    bench.during = {};
    bench.update("a", 2);
    bench.update("a", 3);
    // No other worker gets the key during the run.
    CHECK_FALSE(bench.runs.try_work());
  };
  CHECK(bench.work() == Texts{"a1", "a3"});
}

TEST_CASE("a failure is retried after a delay that doubles and is logged") {
  Bench bench;
  bench.add("a");
  bench.failures = 4;
  CHECK(bench.work() == Texts{"a1"});
  for (const int pause : {5, 10, 20}) {
    bench.clock.advance(milliseconds(pause - 1));
    CHECK(bench.work().empty());
    bench.clock.advance(milliseconds(1));
    CHECK(bench.work() == Texts{"a1"});
  }
  CHECK(bench.said == Texts{"run: default/a: exit status 1, retry 1 in 5ms",
                            "run: default/a: exit status 1, retry 2 in 10ms",
                            "run: default/a: exit status 1, retry 3 in 20ms",
                            "run: default/a: exit status 1, retry 4 in 40ms"});
  bench.clock.advance(milliseconds(40));
  CHECK(bench.work() == Texts{"a1"});
  bench.clock.advance(seconds(10));
  CHECK(bench.work().empty());
}

TEST_CASE("no retry is announced after draining has begun") {
  Bench bench;
  bench.add("a");
  bench.failures = 1;
  bench.during = [&] { bench.runs.drain(bench.clock.now()); };
  CHECK(bench.work() == Texts{"a1"});
  CHECK(bench.said == Texts{"run: default/a: exit status 1"});
}

TEST_CASE("the retry delay has a limit") {
  RunLimits limits;
  limits.first_backoff = seconds(1);
  limits.longest_backoff = seconds(3);
  Bench bench(limits);
  bench.add("a");
  bench.failures = 10;
  bench.work();
  for (const int pause : {1, 2, 3, 3}) {
    bench.clock.advance(seconds(pause) - milliseconds(1));
    CHECK(bench.work().empty());
    bench.clock.advance(milliseconds(1));
    CHECK(bench.work().size() == 1);
  }
}

TEST_CASE("a change does not wait for the retry of the previous state") {
  Bench bench;
  bench.add("a");
  bench.failures = 2;
  bench.work();
  bench.update("a", 2);
  CHECK(bench.work() == Texts{"a2"});  // fails, too: 10 ms from now
  bench.clock.advance(milliseconds(5));
  CHECK(bench.work().empty());  // the pause of the first failure is over, but not that of this one
  bench.clock.advance(milliseconds(5));
  CHECK(bench.work() == Texts{"a2"});
}

TEST_CASE("after the last retry an object is given up until it changes") {
  RunLimits limits;
  limits.max_retries = 1;
  Bench bench(limits);
  bench.add("a");
  bench.failures = 2;
  bench.work();
  bench.clock.advance(milliseconds(5));
  CHECK(bench.work().size() == 1);
  CHECK(bench.given_up == 1);
  CHECK(bench.said.back() == "run: default/a: exit status 1, given up after 1 retry");
  bench.clock.advance(seconds(1000));
  CHECK(bench.work().empty());
  bench.update("a", 2);
  CHECK(bench.work() == Texts{"a2"});
}

TEST_CASE("a resync runs again what was given up, with new retries, and nothing else") {
  RunLimits limits;
  limits.max_retries = 1;
  limits.debounce = seconds(10);
  Bench bench(limits);
  const auto resync = [&](const std::string& name) {
    Change change = test::make_updated(Bench::make(name, 1), Bench::make(name, 1));
    change.type = ChangeType::resync;
    bench.runs.changed(Bench::key(name), change);
  };
  bench.add("a");
  bench.clock.advance(seconds(10));
  CHECK(bench.work() == Texts{"a1"});
  bench.add("b");
  bench.clock.advance(seconds(10));
  bench.failures = 2;
  bench.work();
  bench.clock.advance(milliseconds(5));
  CHECK(bench.work() == Texts{"b1"});
  CHECK(bench.given_up == 1);
  resync("a");
  resync("b");
  bench.failures = 1;
  CHECK(bench.work() == Texts{"b1"});
  CHECK(bench.said.back() == "run: default/b: exit status 1, retry 1 in 5ms");
  resync("b");
  CHECK(bench.work().empty());  // a resync does not shorten the delay
  bench.clock.advance(milliseconds(5));
  CHECK(bench.work() == Texts{"b1"});
  resync("b");
  CHECK(bench.work().empty());
}

TEST_CASE("without a limit a failure is retried forever") {
  RunLimits limits;
  limits.max_retries = -1;
  Bench bench(limits);
  bench.add("a");
  bench.failures = 100;
  bench.work();
  for (int i = 0; i < 50; ++i) {
    bench.clock.advance(seconds(1000));
    CHECK(bench.work().size() == 1);
  }
  CHECK(bench.given_up == 0);
}

TEST_CASE("a debounced run waits for a pause in the changes") {
  RunLimits limits;
  limits.debounce = seconds(2);
  Bench bench(limits);
  bench.add("a");
  CHECK(bench.work().empty());
  CHECK_FALSE(bench.runs.is_idle());
  bench.clock.advance(seconds(1));
  bench.update("a", 2);
  bench.work();
  bench.clock.advance(seconds(1));
  CHECK(bench.work().empty());
  bench.clock.advance(seconds(1));
  CHECK(bench.work() == Texts{"a2"});
  CHECK(bench.runs.is_idle());
}

TEST_CASE("runs of one object keep the minimum interval; other objects do not wait") {
  RunLimits limits;
  limits.min_interval = seconds(10);
  Bench bench(limits);
  bench.add("a");
  CHECK(bench.work() == Texts{"a1"});
  bench.update("a", 2);
  bench.add("b");
  CHECK(bench.work() == Texts{"b1"});
  bench.clock.advance(seconds(10));
  CHECK(bench.work() == Texts{"a2"});
}

TEST_CASE("a batch takes waiting objects up to its limit and fails as one") {
  RunLimits limits;
  limits.batch = 2;
  Bench bench(limits);
  for (const char* name : {"a", "b", "c"}) bench.add(name);
  bench.failures = 1;
  CHECK(bench.work() == Texts{"a1+b1", "c1"});
  bench.clock.advance(milliseconds(5));
  CHECK(bench.work() == Texts{"a1+b1"});
}

TEST_CASE("a deletion is delivered after the last state of the object") {
  Bench bench;
  bench.add("a");
  bench.work();
  bench.runs.changed(Bench::key("a"), test::make_deleted(Bench::make("a", 2)));
  test::ObjectSpec spec;
  spec.name = "a";
  spec.rv = "3";
  spec.uid = "another";
  bench.runs.changed(Bench::key("a"), test::make_added(test::make_object(spec)));
  CHECK(bench.work() == Texts{"a2", "a3"});
}

TEST_CASE("concurrent workers never run one object twice at once and end on stop") {
  test::FakeClock clock;
  Mutex mu;
  std::unordered_map<std::string, int> running;
  int most = 0;
  std::atomic<int> total = 0;
  RunController runs(
      {}, clock, {},
      [&](const std::vector<RunItem>& batch) -> std::optional<std::string> {
        {
          MutexLock lock(mu);
          most = std::max(most, ++running[batch.front().key.key]);
        }
        std::this_thread::yield();
        MutexLock lock(mu);
        --running[batch.front().key.key];
        ++total;
        return std::nullopt;
      },
      false, [] {});
  std::stop_source stop;
  std::vector<std::jthread> workers;
  for (int i = 0; i < 4; ++i) {
    workers.emplace_back([&] {
      while (runs.work(stop.get_token())) {
      }
    });
  }
  for (int version = 1; version <= 200; ++version) {
    for (const char* name : {"a", "b", "c"}) {
      runs.changed(Bench::key(name), test::make_updated(nullptr, Bench::make(name, version)));
    }
  }
  while (!runs.is_idle()) std::this_thread::yield();
  CHECK(runs.drain(clock.now()));
  stop.request_stop();
  workers.clear();
  CHECK(most == 1);
  CHECK(total >= 3);
}

}  // namespace
}  // namespace kinf
