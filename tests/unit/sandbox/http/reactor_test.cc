// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/http/reactor.h"

#include <doctest/doctest.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include <atomic>
#include <functional>
#include <thread>

namespace kinf::sandbox {
namespace {

using Wait = Reactor::Wait;

/// A task around an eventfd that does what a test says.
class ScriptedTask final : public Reactor::Task {
 public:
  /// Called with the events; see Task::run().
  using Run = std::function<std::optional<Wait>(std::uint32_t)>;

  explicit ScriptedTask(Run run) : run_(std::move(run)) {}
  ~ScriptedTask() override {
    if (destroyed != nullptr) *destroyed = true;
  }
  int descriptor() const override { return event_.get(); }
  std::optional<Wait> run(std::uint32_t events) override { return run_(events); }
  void stop() override {
    if (stopped != nullptr) *stopped = true;
  }
  void wake_now() { wake(); }
  void make_readable() const { ::eventfd_write(event_.get(), 1); }

  std::atomic<bool>* destroyed = nullptr;
  std::atomic<bool>* stopped = nullptr;

 private:
  const Run run_;
  const FileDescriptor event_{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
};

struct Running {
  explicit Running(std::size_t threads = 4) : reactor(threads) {
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

TEST_CASE("a task runs when it is added, when it is woken and when its descriptor is ready") {
  std::atomic<int> runs = 0;
  std::atomic<std::uint32_t> events = 0;
  Running r;
  ScriptedTask& task = r.add([&](std::uint32_t seen) {
    events |= seen;
    ++runs;
    return Wait{EPOLLIN, Clock::kNever};
  });
  wait_until([&] { return runs == 1; });
  task.wake_now();
  wait_until([&] { return runs >= 2; });
  CHECK(events == 0);
  task.make_readable();
  wait_until([&] { return events == EPOLLIN; });
}

TEST_CASE("a task runs when its time has come, also if a later one was set before") {
  const Clock::Mono begin = RealClock().now();
  const auto soon = begin + std::chrono::milliseconds(20);
  std::atomic<bool> done = false;
  Running r;
  r.add([](std::uint32_t) { return Wait{0, RealClock().now() + std::chrono::hours(1)}; });
  r.add([&](std::uint32_t) {
    done = RealClock().now() >= soon;
    return Wait{0, done ? Clock::kNever : soon};
  });
  wait_until([&] { return done.load(); });
}

TEST_CASE("a task that is woken while it runs runs once more, and never twice at once") {
  std::atomic<int> inside = 0;
  std::atomic<int> runs = 0;
  std::atomic<bool> overlapped = false;
  std::atomic<bool> release = false;
  Running r;
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

TEST_CASE("a task that is done is destroyed, and a task that is open at the end is stopped first") {
  std::atomic<bool> destroyed = false;
  std::atomic<bool> stopped = false;
  Running r;
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

TEST_CASE("tasks run side by side up to the number of threads, and the rest afterwards") {
  std::atomic<int> running = 0;
  std::atomic<int> most = 0;
  std::atomic<int> finished = 0;
  std::atomic<bool> release = false;
  Running r(2);
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
