// SPDX-License-Identifier: Apache-2.0
#include "kinf/process/worker_process.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace kinf {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMiB = std::size_t{1} << 20U;
constexpr WorkerBounds kAmple{.memory = 384 * kMiB, .stack = 8 * kMiB, .time = 600s};

/// Does what the first word of the request says.
std::string obey(std::string_view request, const WorkerTask::Send& send) {
  if (request == "crash") ::raise(SIGKILL);
  if (request == "hang") ::pause();
  if (request == "count") {
    for (int i = 0; i < 100'000; ++i) send("part");
  }
  if (request == "fill") {
    for (;;) {  // with malloc(), because the `new` of a sanitizer calls no handler
      void* const block = std::malloc(16 * kMiB);
      if (block == nullptr) std::get_new_handler()();
      std::memset(block, 'x', 16 * kMiB);
    }
  }
  if (request == "write") (void)!::write(STDERR_FILENO, "note", 4);
  if (request == "flood") {
    for (int i = 0; i < 1000; ++i)
      (void)!::write(STDERR_FILENO, std::string(4096, 'x').data(), 4096);
  }
  if (request == "descriptors") {
    int open = 0;
    for (int fd = 0; fd < 256; ++fd) open += ::fcntl(fd, F_GETFD) >= 0 ? 1 : 0;
    return std::to_string(open);
  }
  if (request == "open") {
    const FileDescriptor file(::open("/dev/null", O_RDONLY));
    return file.is_open() ? "open" : "refused";
  }
  if (request == "parent") return std::to_string(::getppid());
  if (request == "self") return std::to_string(::getpid());
  return std::string(request) + "!";
}

std::unique_ptr<WorkerProcess> started(WorkerBounds bounds = kAmple) {
  Result<std::unique_ptr<WorkerProcess>> worker =
      WorkerProcess::start({[] { return std::string("ready"); }, obey}, bounds);
  REQUIRE(worker);
  CHECK((*worker)->prepared() == "ready");
  return *std::move(worker);
}

Result<WorkerProcess::Answer> asked(
    WorkerProcess& worker, std::string_view request, const std::stop_token& stop = {},
    const WorkerProcess::Take& take = [](std::string_view) {}) {
  const std::array<std::string_view, 2> parts = {request.substr(0, 1), request.substr(1)};
  return worker.ask(parts, stop, take);
}

std::string answer_to(WorkerProcess& worker, std::string_view request) {
  const Result<WorkerProcess::Answer> answer = asked(worker, request);
  return answer ? answer->last : answer.error().message;
}

TEST_CASE("a worker answers one request after the other") {
  const auto worker = started();
  CHECK(answer_to(*worker, "one") == "one!");
  CHECK(answer_to(*worker, "two") == "two!");
  const std::string large(5 * kMiB, 'x');
  CHECK(answer_to(*worker, large) == large + "!");
  int parts = 0;
  const auto counted =
      asked(*worker, "count", {}, [&](std::string_view part) { parts += part == "part" ? 1 : 0; });
  REQUIRE(counted);
  CHECK(parts == 100'000);
  CHECK(answer_to(*worker, "three") == "three!");
}

TEST_CASE("a worker that dies is started again, three times") {
  const auto worker = started();
  for (int round = 0; round < 3; ++round) {
    CHECK(answer_to(*worker, "crash") == "crashed (signal 9)");
    CHECK(answer_to(*worker, "crash") == "crashed (signal 9)");
    CHECK(answer_to(*worker, "again") == "again!");
  }
  for (int i = 1; i < WorkerProcess::kDeathsInARow; ++i) {
    CHECK(asked(*worker, "crash").error().kind == ErrorKind::protocol);
  }
  const auto last = asked(*worker, "crash");
  REQUIRE_FALSE(last);
  CHECK(last.error().kind == ErrorKind::internal);
  CHECK(last.error().message == "crashed (signal 9), 3 times in a row");
  CHECK(asked(*worker, "one").error().kind == ErrorKind::internal);
}

TEST_CASE("memory and time are bounded") {
  const auto small = started({.memory = 64 * kMiB, .stack = 8 * kMiB, .time = 600s});
  CHECK(answer_to(*small, "fill") == "needs more than 64 MiB");
  CHECK(answer_to(*small, "one") == "one!");
  const auto quick = started({.memory = 64 * kMiB, .stack = 8 * kMiB, .time = 1s});
  CHECK(answer_to(*quick, "hang") == "takes longer than 1 s");
}

TEST_CASE("a request can have more memory and time for its size") {
  const WorkerBounds bounds{.memory = 10, .time = 2s, .memory_per_byte = 3, .bytes_per_second = 4};
  CHECK(bounds.memory_for(5) == 25);
  CHECK(bounds.time_for(9) == 4s);
  CHECK(WorkerBounds{.time = 2s}.time_for(1000) == 2s);
}

TEST_CASE("a stop ends the wait for an answer, and the next request has a new worker") {
  const auto worker = started();
  std::stop_source source;
  std::jthread stopper([&] { source.request_stop(); });
  const auto stopped = asked(*worker, "hang", source.get_token());
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == ErrorKind::stopped);
  CHECK(asked(*worker, "one", source.get_token()).error().kind == ErrorKind::stopped);
  std::stop_source other;
  std::jthread other_stopper([&] { other.request_stop(); });
  (void)asked(*worker, "count", other.get_token());
  CHECK(answer_to(*worker, "one") == "one!");
}

TEST_CASE("a worker has no descriptors of its own process and opens none") {
  const auto worker = started();
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  CHECK(answer_to(*worker, "open") == "refused");
#endif
  // The standard streams, the channel, both ends of its standard error, and its end of a pipe to
  // the keeper.
  CHECK(std::stoi(answer_to(*worker, "descriptors")) <= 7);
  CHECK(asked(*worker, "write")->written == "note");
  CHECK(asked(*worker, "one")->written.empty());
  CHECK(asked(*worker, "flood")->written.size() < kMiB);
}

TEST_CASE("both processes end with the object") {
  pid_t keeper = 0;
  pid_t self = 0;
  {
    const auto worker = started();
    keeper = std::stoi(answer_to(*worker, "parent"));
    self = std::stoi(answer_to(*worker, "self"));
    (void)asked(*worker, "crash");
    CHECK(std::stoi(answer_to(*worker, "parent")) == keeper);
    self = std::stoi(answer_to(*worker, "self"));
  }
  CHECK(::kill(keeper, 0) != 0);
  CHECK(::kill(self, 0) != 0);
}

TEST_CASE("a keeper that is killed is the end") {
  const auto worker = started();
  ::kill(std::stoi(answer_to(*worker, "parent")), SIGKILL);
  Result<WorkerProcess::Answer> answer = asked(*worker, "one");
  while (answer) answer = asked(*worker, "one");  // the worker ends a moment later
  CHECK(answer.error().kind == ErrorKind::internal);
}

}  // namespace
}  // namespace kinf
