// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/http/reactor.h"

#include <doctest/doctest.h>
#include <poll.h>

#include <atomic>
#include <functional>
#include <thread>

#include "kinf/base/file_descriptor.h"
#include "kinf/sandbox/http/poll_poller.h"

namespace kinf::sandbox {
namespace {

using Wait = Reactor::Wait;

/// A task around an event that does what a test says.
class ScriptedTask final : public Reactor::Task {
 public:
  /// Called with the events; see Task::run().
  using Run = std::function<std::optional<Wait>(std::uint32_t)>;

  explicit ScriptedTask(Run run) : run_(std::move(run)) {}
  ~ScriptedTask() override {
    if (destroyed != nullptr) *destroyed = true;
  }
  int descriptor() const override { return event_.descriptor(); }
  std::optional<Wait> run(std::uint32_t events) override { return run_(events); }
  void stop() override {
    if (stopped != nullptr) *stopped = true;
  }
  void wake_now() { wake(); }
  void make_readable() const { event_.signal(); }

  std::atomic<bool>* destroyed = nullptr;
  std::atomic<bool>* stopped = nullptr;

 private:
  const Run run_;
  const WakeEvent event_;
};

struct SystemPoller {
  static std::unique_ptr<Poller> make() { return make_poller(); }
};
struct PortablePoller {
  static std::unique_ptr<Poller> make() { return PollPoller::open(); }
};

template <class Kind>
struct Running {
  explicit Running(std::size_t threads = 4) : reactor(threads, Kind::make()) {
    REQUIRE(reactor.start().has_value());
  }
  /// Adds a task, which the reactor owns.
  ScriptedTask& add(ScriptedTask::Run run) {
    auto task = std::make_unique<ScriptedTask>(std::move(run));
    ScriptedTask& result = *task;
    reactor.add(std::move(task));
    return result;
  }
  Reactor reactor;
};

void wait_until(const std::function<bool()>& holds) {
  while (!holds()) std::this_thread::yield();
}

TEST_CASE_TEMPLATE(
    "a task runs when it is added, when it is woken and when its descriptor is ready", Kind,
    SystemPoller, PortablePoller) {
  std::atomic<int> runs = 0;
  std::atomic<std::uint32_t> events = 0;
  Running<Kind> r;
  ScriptedTask& task = r.add([&](std::uint32_t seen) {
    events |= seen;
    ++runs;
    return Wait{POLLIN, Clock::kNever};
  });
  wait_until([&] { return runs == 1; });
  task.wake_now();
  wait_until([&] { return runs >= 2; });
  CHECK(events == 0);
  task.make_readable();
  wait_until([&] { return events == POLLIN; });
}

TEST_CASE_TEMPLATE("a task runs when its time has come, also if a later one was set before", Kind,
                   SystemPoller, PortablePoller) {
  const Clock::Mono begin = RealClock().now();
  const auto soon = begin + std::chrono::milliseconds(20);
  std::atomic<bool> done = false;
  Running<Kind> r;
  r.add([](std::uint32_t) { return Wait{0, RealClock().now() + std::chrono::hours(1)}; });
  r.add([&](std::uint32_t) {
    done = RealClock().now() >= soon;
    return Wait{0, done ? Clock::kNever : soon};
  });
  wait_until([&] { return done.load(); });
}

TEST_CASE_TEMPLATE("a task that is woken while it runs runs once more, and never twice at once",
                   Kind, SystemPoller, PortablePoller) {
  std::atomic<int> inside = 0;
  std::atomic<int> runs = 0;
  std::atomic<bool> overlapped = false;
  std::atomic<bool> release = false;
  Running<Kind> r;
  ScriptedTask& task = r.add([&](std::uint32_t) {
    if (++inside > 1) overlapped = true;
    ++runs;
    wait_until([&] { return release.load(); });
    --inside;
    return Wait{};
  });
  wait_until([&] { return runs == 1; });
  for (int i = 0; i < 3; ++i) task.wake_now();
  release = true;
  wait_until([&] { return runs == 2; });
  CHECK_FALSE(overlapped);
  r.reactor.stop();
  CHECK(runs == 2);
}

TEST_CASE_TEMPLATE(
    "a task that is done is destroyed, and a task that is open at the end is stopped first", Kind,
    SystemPoller, PortablePoller) {
  std::atomic<bool> destroyed = false;
  std::atomic<bool> stopped = false;
  Running<Kind> r;
  const auto add = [&](bool is_done) {
    auto task = std::make_unique<ScriptedTask>(
        [is_done](std::uint32_t) { return is_done ? std::nullopt : std::optional(Wait{}); });
    (is_done ? task->destroyed : task->stopped) = is_done ? &destroyed : &stopped;
    r.reactor.add(std::move(task));
  };
  add(true);
  wait_until([&] { return destroyed.load(); });
  add(false);
  CHECK_FALSE(stopped);
  r.reactor.stop();
  CHECK(stopped);
}

TEST_CASE_TEMPLATE("tasks run side by side up to the number of threads, and the rest afterwards",
                   Kind, SystemPoller, PortablePoller) {
  std::atomic<int> running = 0;
  std::atomic<int> most = 0;
  std::atomic<int> finished = 0;
  std::atomic<bool> release = false;
  Running<Kind> r(2);
  for (int i = 0; i < 6; ++i) {
    r.add([&](std::uint32_t) {
      const int now = ++running;
      for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
      }
      wait_until([&] { return release.load(); });
      --running;
      ++finished;
      return std::nullopt;
    });
  }
  wait_until([&] { return running == 2; });
  CHECK(finished == 0);
  release = true;
  wait_until([&] { return finished == 6; });
  CHECK(most == 2);
}

}  // namespace
}  // namespace kinf::sandbox
