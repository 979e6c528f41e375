// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/outage.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>

#include "fakes/fake_clock.h"
#include "unit/cli/runtime/captured_stream.h"

namespace kinf {
namespace {

TEST_CASE("an outage reports each failure once, and its end") {
  test::FakeClock clock;
  Outage outage("prod", clock);
  const auto printed = [](const auto& act) { return test::captured(STDERR_FILENO, act); };
  const auto reported = [&](const Error& error) { return printed([&] { outage.report(error); }); };
  const Error refused(ErrorKind::network, "no connection", NetworkFault::refused);
  CHECK(reported(refused) == "prod: error: no connection\n");
  CHECK(reported(Error(ErrorKind::network, "list pods: no connection", NetworkFault::refused)) ==
        "");
  CHECK(reported(Error(ErrorKind::network, "bad certificate", NetworkFault::tls)) != "");
  CHECK(reported(Error(ErrorKind::forbidden, "no pods")) != "");
  CHECK(reported(Error(ErrorKind::forbidden, "no secrets")) != "");
  CHECK(reported(Error(ErrorKind::forbidden, "no pods")) == "");
  outage.attempt_failed();
  clock.advance(std::chrono::seconds(12));
  CHECK(printed([&] { outage.end(); }) == "kinf: prod: recovered after 12s\n");
  CHECK(printed([&] { outage.end(); }) == "");
  CHECK(reported(refused) != "");
}

TEST_CASE("an outage of a server that words each denial differently is bounded") {
  test::FakeClock clock;
  Outage outage("prod", clock);
  const std::string printed = test::captured(STDERR_FILENO, [&] {
    for (int i = 0; i < 1000; ++i) outage.report(Error(ErrorKind::auth, std::to_string(i)));
  });
  CHECK(std::ranges::count(printed, '\n') == 100);
}

}  // namespace
}  // namespace kinf
