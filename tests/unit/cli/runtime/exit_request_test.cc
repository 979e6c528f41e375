// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/runtime/exit_request.h"

#include <doctest/doctest.h>

#include <thread>

#include "fakes/fake_clock.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;

TEST_CASE("the first exit code that is set stays") {
  ExitRequest exit_request;
  CHECK_FALSE(exit_request.code().has_value());
  exit_request.set(ExitCode::interrupted);
  exit_request.set(ExitCode::ok);
  CHECK(exit_request.code() == ExitCode::interrupted);
}

TEST_CASE("a signal replaces success, and cancels writes") {
  ExitRequest exit_request;
  exit_request.set(ExitCode::ok);
  exit_request.set(ExitCode::timed_out);
  CHECK(exit_request.code() == ExitCode::ok);
  CHECK_FALSE(exit_request.abort_token().stop_requested());
  exit_request.set(ExitCode::terminated);
  CHECK(exit_request.code() == ExitCode::terminated);
  CHECK(exit_request.abort_token().stop_requested());
}

TEST_CASE("a signal does not replace a failure") {
  ExitRequest exit_request;
  exit_request.set(ExitCode::denied);
  exit_request.set(ExitCode::interrupted);
  CHECK(exit_request.code() == ExitCode::denied);
}

TEST_CASE("waiting ends at once when there is an exit code already") {
  test::FakeClock clock;
  ExitRequest exit_request;
  exit_request.set(ExitCode::ok);
  CHECK(exit_request.wait(clock));
  CHECK(exit_request.wait(clock));
}

TEST_CASE("a notification that comes before the wait ends it, and ends only one") {
  test::FakeClock clock;
  ExitRequest exit_request;
  exit_request.notify();
  exit_request.notify();
  CHECK(exit_request.wait(clock, clock.now() + 1s));
  CHECK_FALSE(exit_request.wait(clock, clock.now()));
  CHECK_FALSE(exit_request.code().has_value());
}

TEST_CASE("a deadline that has passed ends the wait without a result") {
  test::FakeClock clock;
  ExitRequest exit_request;
  CHECK_FALSE(exit_request.wait(clock, clock.now()));
  CHECK_FALSE(exit_request.wait(clock, clock.now() - 1s));
}

/// Starts waiting on a thread of its own; returns when that thread waits.
class Waiter {
 public:
  Waiter(ExitRequest& exit_request, test::FakeClock& clock, Clock::Mono deadline)
      : thread_([this, &exit_request, &clock, deadline] {
          result_ = exit_request.wait(clock, deadline);
        }) {
    clock.wait_for_sleepers(1);
  }
  bool result() {
    thread_.join();
    return result_;
  }

 private:
  bool result_ = false;
  std::jthread thread_;
};

TEST_CASE("a waiting thread is woken by an exit code, by a notification and by its deadline") {
  test::FakeClock clock;
  ExitRequest exit_request;
  SUBCASE("exit code") {
    Waiter waiter(exit_request, clock, Clock::kNever);
    exit_request.set(ExitCode::terminated);
    CHECK(waiter.result());
    CHECK(exit_request.code() == ExitCode::terminated);
  }
  SUBCASE("notification") {
    Waiter waiter(exit_request, clock, Clock::kNever);
    exit_request.notify();
    CHECK(waiter.result());
    CHECK_FALSE(exit_request.code().has_value());
  }
  SUBCASE("deadline") {
    Waiter waiter(exit_request, clock, clock.now() + 5s);
    clock.advance(5s);
    CHECK_FALSE(waiter.result());
  }
}

TEST_CASE("of several threads that set an exit code exactly one wins") {
  ExitRequest exit_request;
  {
    std::vector<std::jthread> threads;
    for (const ExitCode code : {ExitCode::ok, ExitCode::usage, ExitCode::denied}) {
      threads.emplace_back([&exit_request, code] { exit_request.set(code); });
    }
  }
  const std::optional<ExitCode> winner = exit_request.code();
  REQUIRE(winner.has_value());
  exit_request.set(ExitCode::other_error);
  CHECK(exit_request.code() == winner);
}

}  // namespace
}  // namespace kinf
