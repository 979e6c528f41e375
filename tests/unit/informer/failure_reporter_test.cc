// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/failure_reporter.h"

#include <doctest/doctest.h>

#include <vector>

#include "fakes/fake_clock.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;
using Doing = InformerFailure::Doing;

struct FailureObserver final : InformerObserver {
  void on_error(const InformerFailure& failure) override { failures.push_back(failure); }
  void on_recovered(Clock::Duration lasted) override { recoveries.push_back(lasted); }
  std::vector<InformerFailure> failures;
  std::vector<Clock::Duration> recoveries;
};

TEST_CASE("a failure is reported with the time since the first of its kind, until a success") {
  test::FakeClock clock;
  const InformerOptions options;
  InformerCounters counters;
  FailureObserver observer;
  FailureReporter failures(clock, options, counters, &observer);
  const Error network(ErrorKind::network, "refused");
  failures.failed(Doing::listing, network, 1s, true);
  clock.advance(3s);
  failures.failed(Doing::listing, network, 2s, true);
  clock.advance(2s);
  failures.failed(Doing::opening_watch, Error(ErrorKind::auth, "no"), 2s, true);
  CHECK(observer.failures[0].lasted == 0s);
  CHECK(observer.failures[1].lasted == 3s);
  CHECK(observer.failures[1].retry_in == 2s);
  CHECK(observer.failures[2].lasted == 0s);
  CHECK(failures.last_error()->kind == ErrorKind::auth);
  failures.succeeded();
  failures.succeeded();
  CHECK(observer.recoveries == std::vector<Clock::Duration>{5s});
  CHECK_FALSE(failures.last_error());
  CHECK(counters.errors == 3);
}

TEST_CASE("the watch error handler gets every failure, in client_go only what client-go passes") {
  for (const Behaviour behaviour : {Behaviour::strict, Behaviour::client_go}) {
    test::FakeClock clock;
    int calls = 0;
    InformerOptions options;
    options.behaviour = behaviour;
    options.watch_error_handler = [&](const Error&) { ++calls; };
    InformerCounters counters;
    FailureReporter failures(clock, options, counters, nullptr);
    failures.failed(Doing::listing, Error(ErrorKind::network, "reset"), 1s, true);
    failures.failed(Doing::opening_watch, Error(ErrorKind::network, "refused"), 1s, false);
    CHECK(calls == (behaviour == Behaviour::strict ? 2 : 1));
  }
}

}  // namespace
}  // namespace kinf
