// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/informer_monitor.h"
#include "kinf/base/number_text.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "fakes/fake_clock.h"
#include "kinf/cli/session/outage.h"
#include "kinf/informer/informer_observer.h"
#include "unit/cli/runtime/captured_stream.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;

struct MonitorRig {
  explicit MonitorRig(MonitorOptions options = {})
      : monitor(std::move(options), clock, exit_request) {}

  static InformerFailure failure(ErrorKind kind, NetworkFault fault = NetworkFault::none) {
    InformerFailure result{.error = Error(kind, "it failed", fault)};
    return result;
  }

  test::FakeClock clock;
  ExitRequest exit_request;
  InformerMonitor monitor;
};

TEST_CASE("a server that refuses everything ends the command at once") {
  MonitorRig rig;
  InformerObserver& pods = rig.monitor.add("pods");
  InformerObserver& secrets = rig.monitor.add("secrets");
  pods.on_error(MonitorRig::failure(ErrorKind::forbidden));
  CHECK(rig.monitor.denial_deadline() == Clock::kNever);
  secrets.on_error(MonitorRig::failure(ErrorKind::auth));
  CHECK(rig.monitor.denied_for_good());
}

TEST_CASE("the Events beside the objects do not keep a command that may not read the objects") {
  MonitorRig rig;
  InformerObserver& pods = rig.monitor.add("pods");
  InformerObserver& events = rig.monitor.add("events", {}, InformerRole::extra);
  SUBCASE("the Events are permitted") { events.on_synced({"1", 1}); }
  SUBCASE("the Events are denied, too") {
    events.on_error(MonitorRig::failure(ErrorKind::forbidden));
  }
  CHECK_FALSE(rig.monitor.denied_for_good());
  pods.on_error(MonitorRig::failure(ErrorKind::forbidden));
  CHECK(rig.monitor.denied_for_good());
}

TEST_CASE("a command that prints once goes on without an informer that is denied") {
  MonitorRig rig({.leave_out_denied = true});
  InformerObserver& pods = rig.monitor.add("pods");
  InformerObserver& secrets = rig.monitor.add("secrets");
  SUBCASE("the denial comes first") {
    secrets.on_error(MonitorRig::failure(ErrorKind::forbidden));
    CHECK_FALSE(rig.monitor.all_synced());
    CHECK(rig.monitor.unsynced() == std::vector<std::string>{"pods"});
    pods.on_synced({"1", 1});
  }
  SUBCASE("the denial comes last") {
    pods.on_synced({"1", 1});
    CHECK_FALSE(rig.monitor.all_synced());
    secrets.on_error(MonitorRig::failure(ErrorKind::auth));
  }
  CHECK(rig.monitor.all_synced());
  CHECK(rig.monitor.has_left_out(secrets));
  CHECK_FALSE(rig.monitor.has_left_out(pods));
  CHECK_FALSE(rig.monitor.denied_for_good());
}

TEST_CASE("a command that prints once ends if everything is denied") {
  MonitorRig rig({.leave_out_denied = true});
  InformerObserver& pods = rig.monitor.add("pods");
  InformerObserver& secrets = rig.monitor.add("secrets");
  pods.on_error(MonitorRig::failure(ErrorKind::forbidden));
  secrets.on_error(MonitorRig::failure(ErrorKind::forbidden));
  CHECK_FALSE(rig.monitor.all_synced());
  CHECK(rig.monitor.denied_for_good());
}

TEST_CASE("a command that follows changes goes on with what is denied") {
  MonitorRig rig;
  InformerObserver& pods = rig.monitor.add("pods");
  InformerObserver& secrets = rig.monitor.add("secrets");
  pods.on_synced({"1", 1});
  secrets.on_error(MonitorRig::failure(ErrorKind::forbidden));
  CHECK_FALSE(rig.monitor.has_left_out(secrets));
  CHECK_FALSE(rig.monitor.all_synced());
  CHECK_FALSE(rig.monitor.denied_for_good());
}

TEST_CASE("one of all types that cannot be listed is left out and named in one line") {
  MonitorRig rig;
  InformerObserver& pods = rig.monitor.add("pods", {}, InformerRole::one_of_all);
  InformerObserver& secrets = rig.monitor.add("secrets", {}, InformerRole::one_of_all);
  InformerObserver& widgets = rig.monitor.add("widgets", {}, InformerRole::one_of_all);
  const std::string printed = test::captured(STDERR_FILENO, [&] {
    secrets.on_error(MonitorRig::failure(ErrorKind::forbidden));
    widgets.on_error(MonitorRig::failure(ErrorKind::not_found));
    pods.on_synced({"1", 1});
  });
  CHECK(printed.contains("cannot be listed, left out: secrets (denied), widgets ("));
  CHECK(std::ranges::count(printed, '\n') == 1);
  CHECK(rig.monitor.all_synced());
  CHECK_FALSE(rig.exit_request.code());
  CHECK_FALSE(rig.monitor.denied_for_good());
  CHECK(rig.monitor.has_left_out(widgets));
  widgets.on_synced({"1", 1});
  CHECK_FALSE(rig.monitor.has_left_out(widgets));
}

TEST_CASE("each of all types that is left out is named once, also one that comes later") {
  MonitorRig rig;
  rig.monitor.add("pods", {}, InformerRole::one_of_all).on_synced({"1", 1});
  InformerObserver& secrets = rig.monitor.add("secrets", {}, InformerRole::one_of_all);
  const auto denied = [&](InformerObserver& one) {
    return test::captured(STDERR_FILENO,
                          [&] { one.on_error(MonitorRig::failure(ErrorKind::forbidden)); });
  };
  CHECK(denied(secrets) == "kinf: cannot be listed, left out: secrets (denied)\n");
  CHECK(denied(secrets).empty());
  InformerObserver& widgets = rig.monitor.add("widgets", {}, InformerRole::one_of_all);
  CHECK(denied(widgets) == "kinf: cannot be listed, left out: widgets (denied)\n");
  CHECK(denied(widgets).empty());
}

TEST_CASE("a type that is gone is passed on instead of logged, and counts until it is back") {
  int lost = 0;
  MonitorRig rig({.on_lost_type = [&] { ++lost; }});
  InformerObserver& widgets = rig.monitor.add("widgets", {}, InformerRole::one_of_all);
  widgets.on_synced({"1", 1});
  CHECK_FALSE(rig.monitor.is_lost(widgets));
  const std::string printed = test::captured(STDERR_FILENO, [&] {
    widgets.on_error(MonitorRig::failure(ErrorKind::not_found));
    widgets.on_error(MonitorRig::failure(ErrorKind::not_found));
  });
  CHECK(printed.empty());
  CHECK(lost == 2);
  CHECK(rig.monitor.is_lost(widgets));
  CHECK_FALSE(rig.exit_request.code());
  widgets.on_error(MonitorRig::failure(ErrorKind::unavailable));
  CHECK_FALSE(rig.monitor.is_lost(widgets));
}

TEST_CASE("all types that are denied end the command, and the first denial is reported") {
  MonitorRig rig;
  InformerObserver& pods = rig.monitor.add("pods", {}, InformerRole::one_of_all);
  InformerObserver& secrets = rig.monitor.add("secrets", {}, InformerRole::one_of_all);
  const std::string printed = test::captured(STDERR_FILENO, [&] {
    pods.on_error(MonitorRig::failure(ErrorKind::auth));
    secrets.on_error(MonitorRig::failure(ErrorKind::forbidden));
  });
  CHECK(printed.contains("it failed"));
  CHECK(rig.monitor.denied_for_good());
}

TEST_CASE("one of all types that fails for a while is left out only after three failures") {
  MonitorRig rig;
  InformerObserver& pods = rig.monitor.add("pods", {}, InformerRole::one_of_all);
  InformerObserver& secrets = rig.monitor.add("secrets", {}, InformerRole::one_of_all);
  pods.on_synced({"1", 1});
  const auto printed = [&] {
    return test::captured(STDERR_FILENO,
                          [&] { secrets.on_error(MonitorRig::failure(ErrorKind::unavailable)); });
  };
  CHECK(printed().contains("retrying"));
  CHECK(printed().empty());
  CHECK_FALSE(rig.monitor.all_synced());
  CHECK(printed().contains("left out: secrets ("));
  CHECK(rig.monitor.all_synced());
  CHECK_FALSE(rig.monitor.is_denied(secrets));
}

TEST_CASE("a broken connection leaves out none of all types") {
  MonitorRig rig;
  InformerObserver& pods = rig.monitor.add("pods", {}, InformerRole::one_of_all);
  InformerObserver& secrets = rig.monitor.add("secrets", {}, InformerRole::one_of_all);
  pods.on_synced({"1", 1});
  secrets.on_error(MonitorRig::failure(ErrorKind::network, NetworkFault::reset));
  CHECK_FALSE(rig.monitor.all_synced());
}

TEST_CASE("a denial is reported once, and names --retry-forbidden if nothing else goes on") {
  MonitorRig rig;
  InformerObserver& one = rig.monitor.add("secrets/one");
  InformerObserver& two = rig.monitor.add("secrets/two");
  InformerObserver& pods = rig.monitor.add("pods");
  const auto printed = [](InformerObserver& informer, ErrorKind kind) {
    return test::captured(STDERR_FILENO, [&] { informer.on_error(MonitorRig::failure(kind)); });
  };
  const std::string first = printed(one, ErrorKind::forbidden);
  CHECK(first.contains("it failed"));
  CHECK(first.contains("kinf check secrets/one"));
  CHECK_FALSE(first.contains("--retry-forbidden"));
  CHECK(printed(one, ErrorKind::forbidden).empty());
  CHECK(printed(two, ErrorKind::forbidden).empty());
  InformerFailure other = MonitorRig::failure(ErrorKind::forbidden);
  other.error.message = "it failed, too";
  const std::string last = test::captured(STDERR_FILENO, [&] { pods.on_error(other); });
  CHECK(last.contains("--retry-forbidden keeps trying"));
}

TEST_CASE("the monitors of two attempts to use a cluster report its failure once") {
  test::FakeClock clock;
  Outage outage("prod", clock);
  const std::string printed = test::captured(STDERR_FILENO, [&] {
    for (int attempt = 0; attempt < 2; ++attempt) {
      MonitorRig rig({.cluster = "prod", .outage = &outage});
      rig.monitor.add("prod: pods")
          .on_error(MonitorRig::failure(ErrorKind::network, NetworkFault::refused));
      CHECK(rig.exit_request.code() == ExitCode::no_server);
      outage.attempt_failed();
    }
  });
  CHECK(printed == "prod: error: it failed\n");
  MonitorRig rig({.cluster = "prod", .outage = &outage});
  InformerObserver& pods = rig.monitor.add("prod: pods");
  InformerObserver& secrets = rig.monitor.add("prod: secrets");
  CHECK(test::captured(STDERR_FILENO, [&] { pods.on_synced({"1", 1}); }).empty());
  CHECK(test::captured(STDERR_FILENO, [&] {
          secrets.on_synced({"1", 1});
        }).starts_with("kinf: prod: recovered after"));
}

TEST_CASE("a recovery is logged after a failure or a stall, and only then") {
  MonitorRig rig;
  InformerObserver& pods = rig.monitor.add("pods");
  const auto printed = [](const auto& act) { return test::captured(STDERR_FILENO, act); };
  CHECK(printed([&] { pods.on_recovered(2min); }).empty());
  CHECK(printed([&] { pods.on_stalled(90s); }).starts_with("kinf: pods: stalled"));
  CHECK(printed([&] { pods.on_recovered(2min); }) == "kinf: pods: recovered after 2m\n");
  CHECK(printed([&] { pods.on_recovered(2min); }).empty());
}

TEST_CASE("an idle informer wakes the command only while that is wanted") {
  MonitorRig rig;
  InformerObserver& pods = rig.monitor.add("pods");
  const auto is_woken = [&] { return rig.exit_request.wait(rig.clock, rig.clock.now()); };
  pods.on_idle();
  CHECK_FALSE(is_woken());
  rig.monitor.notify_when_idle(true);
  pods.on_idle();
  CHECK(is_woken());
  rig.monitor.notify_when_idle(false);
  pods.on_idle();
  CHECK_FALSE(is_woken());
}

TEST_CASE("an informer that was removed does not count") {
  MonitorRig rig;
  InformerObserver& pods = rig.monitor.add("pods in a");
  InformerObserver& others = rig.monitor.add("pods in b");
  pods.on_error(MonitorRig::failure(ErrorKind::forbidden));
  others.on_synced({"1", 1});
  CHECK_FALSE(rig.monitor.denied_for_good());
  rig.monitor.remove(others);
  CHECK(rig.monitor.denied_for_good());
  rig.monitor.remove(pods);
  CHECK_FALSE(rig.monitor.denied_for_good());
}

TEST_CASE("after the first list a refusal must last for three seconds") {
  MonitorRig rig;
  InformerObserver& pods = rig.monitor.add("pods");
  pods.on_synced({"1", 1});
  pods.on_error(MonitorRig::failure(ErrorKind::forbidden));
  rig.clock.advance(1h);
  CHECK_FALSE(rig.monitor.denied_for_good());
  pods.on_recovered(1h);
  pods.on_error(MonitorRig::failure(ErrorKind::forbidden));
  CHECK_FALSE(rig.monitor.denied_for_good());
  pods.on_error(MonitorRig::failure(ErrorKind::forbidden));
  CHECK_FALSE(rig.monitor.denied_for_good());
  rig.clock.advance(3s);
  CHECK(rig.monitor.denied_for_good());
  pods.on_recovered(3s);
  CHECK_FALSE(rig.monitor.denied_for_good());
}

TEST_CASE("refusals are retried without end if asked for") {
  MonitorRig rig({.retry_forbidden = true});
  InformerObserver& pods = rig.monitor.add("pods");
  pods.on_error(MonitorRig::failure(ErrorKind::forbidden));
  pods.on_error(MonitorRig::failure(ErrorKind::forbidden));
  rig.clock.advance(1h);
  CHECK_FALSE(rig.monitor.denied_for_good());
}

TEST_CASE("no server before the first list ends the command, later it does not") {
  MonitorRig rig;
  InformerObserver& pods = rig.monitor.add("pods");
  SUBCASE("before") {
    pods.on_error(MonitorRig::failure(ErrorKind::network, NetworkFault::refused));
    CHECK(rig.exit_request.code() == ExitCode::no_server);
  }
  SUBCASE("a connection that breaks is tried again") {
    pods.on_error(MonitorRig::failure(ErrorKind::network, NetworkFault::reset));
    CHECK_FALSE(rig.exit_request.code().has_value());
    CHECK(rig.monitor.unsynced().front() == "pods: error: it failed");
  }
  SUBCASE("after") {
    pods.on_synced({});
    CHECK(rig.monitor.all_synced());
    pods.on_error(MonitorRig::failure(ErrorKind::network, NetworkFault::refused));
    CHECK_FALSE(rig.exit_request.code().has_value());
  }
}

TEST_CASE("a request that cannot succeed is not repeated") {
  MonitorRig rig;
  rig.monitor.add("pods").on_error(MonitorRig::failure(ErrorKind::usage));
  CHECK(rig.exit_request.code() == ExitCode::usage);
}

TEST_CASE("synced means all of them") {
  MonitorRig rig;
  InformerObserver& pods = rig.monitor.add("pods");
  InformerObserver& services = rig.monitor.add("services");
  rig.clock.advance(40ms);
  pods.on_synced({});
  CHECK_FALSE(rig.monitor.all_synced());
  rig.clock.advance(40ms);
  services.on_synced({});
  CHECK(rig.monitor.time_to_sync() == Clock::Duration(80ms));
}

TEST_CASE("while types are awaited, not everything is synced or denied") {
  MonitorRig rig;
  rig.monitor.set_awaited({"foos: unknown"});
  InformerObserver& pods = rig.monitor.add("pods");
  SUBCASE("synced") {
    pods.on_synced({});
    CHECK_FALSE(rig.monitor.all_synced());
    CHECK(rig.monitor.unsynced() == std::vector<std::string>{"foos: unknown"});
    InformerObserver& foos = rig.monitor.add("foos");
    rig.monitor.set_awaited({});
    CHECK_FALSE(rig.monitor.all_synced());
    foos.on_synced({});
    CHECK(rig.monitor.all_synced());
  }
  SUBCASE("denied") {
    pods.on_error(MonitorRig::failure(ErrorKind::forbidden));
    CHECK_FALSE(rig.monitor.denied_for_good());
    rig.monitor.set_awaited({});
    CHECK(rig.monitor.denied_for_good());
  }
}

TEST_CASE("figures read well") {
  CHECK(with_commas(7) == "7");
  CHECK(with_commas(1204) == "1,204");
  CHECK(with_commas(1234567) == "1,234,567");
  CHECK(seconds_text(40ms) == "0.04s");
  CHECK(seconds_text(12340ms) == "12.3s");
}

TEST_CASE("A11: a certificate that is wrong after another failure is named once") {
  MonitorRig rig;
  InformerObserver& pods = rig.monitor.add("pods");
  pods.on_synced({"1", 1});
  const auto printed = [&](NetworkFault fault) {
    return test::captured(STDERR_FILENO,
                          [&] { pods.on_error(MonitorRig::failure(ErrorKind::network, fault)); });
  };
  CHECK(printed(NetworkFault::closed).contains("pods: error: it failed; retrying"));
  CHECK(printed(NetworkFault::refused).empty());
  CHECK(printed(NetworkFault::tls).contains("pods: error: it failed; retrying"));
  CHECK(printed(NetworkFault::tls).empty());
  pods.on_recovered(1s);
  CHECK_FALSE(printed(NetworkFault::tls).empty());
}

}  // namespace
}  // namespace kinf
