// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/informer_set.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <thread>

#include "fakes/recording_handler.h"
#include "kinf/base/log.h"
#include "kinf/cli/flags/informer_flags.h"
#include "unit/cli/connection/offline_connection.h"
#include "unit/cli/runtime/captured_stream.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;

/// The informers of a plan. None is started.
struct SetRig {
  explicit SetRig(const std::vector<std::string>& arguments, const InformerNeeds& needs = {}) {
    flags.types = parse_type_args(arguments).value();
    plan = make_plan(*offline.connection, offline.global, flags, Clock::kNever).value();
    Result<std::unique_ptr<InformerSet>> created =
        InformerSet::create({*offline.connection, plan, flags, needs, offline.context()});
    if (!created) FAIL(created.error().message);
    set = *std::move(created);
  }

  test::OfflineConnection offline;
  InformerFlags flags;
  WatchPlan plan;
  std::unique_ptr<InformerSet> set;
};

TEST_CASE("each planned informer becomes a member, with its indices") {
  InformerNeeds needs;
  needs.indexers["by-app"] = [](const Object&) -> Result<std::vector<std::string>> {
    return std::vector<std::string>();
  };
  SetRig rig({"pods,svc", "web"}, needs);
  REQUIRE(rig.set->members().size() == 2);
  for (const InformerSet::Member& member : rig.set->members()) {
    CHECK(member.planned.name == "web");
    CHECK(member.planned.ns == "shop");
    CHECK(member.informer->indexer().get_indexers().contains("by-app"));
    CHECK(member.source->bytes_received() == 0);
    CHECK_FALSE(member.informer->has_synced());
  }
  CHECK(rig.set->members()[1].description == "services/web");
}

TEST_CASE("one handler is requested per informer and added to it") {
  SetRig rig({"pods,svc"});
  test::RecordingHandler handler;
  std::vector<std::string> asked;
  const Result<void> added =
      rig.set->add_handlers([&](InformerSet::Member& member) -> EventHandler& {
        asked.push_back(member.description);
        return handler;
      });
  CHECK(added.has_value());
  CHECK(asked == std::vector<std::string>{"pods", "services"});
}

TEST_CASE("no handler can be added after stop()") {
  SetRig rig({"pods"});
  rig.set->stop();
  test::RecordingHandler handler;
  const Result<void> added =
      rig.set->add_handlers([&](InformerSet::Member&) -> EventHandler& { return handler; });
  REQUIRE_FALSE(added.has_value());
  CHECK(added.error().kind == ErrorKind::stopped);
  CHECK(rig.set->members().front().informer->is_stopped());
}

TEST_CASE("wait() returns true when the condition holds, without an exit code") {
  SetRig rig({"pods"});
  CHECK(rig.set->wait([] { return true; }));
  CHECK_FALSE(rig.offline.exit_request.code().has_value());
}

TEST_CASE("wait() returns false once the exit code is set, without checking the condition") {
  SetRig rig({"pods"});
  rig.offline.exit_request.set(ExitCode::interrupted);
  bool asked = false;
  CHECK_FALSE(rig.set->wait([&] { return asked = true; }));
  CHECK_FALSE(asked);
}

TEST_CASE("a deadline ends the command with 124") {
  SetRig rig({"pods"});
  CHECK_FALSE(rig.set->wait([] { return false; }, rig.offline.clock.now()));
  CHECK(rig.offline.exit_request.code() == ExitCode::timed_out);
}

TEST_CASE("a server that refuses everything ends the command with 5") {
  test::OfflineConnection offline;
  // The plan is empty, so this is the only informer that the monitor observes.
  WatchPlan plan;
  const InformerFlags flags;
  const std::unique_ptr<InformerSet> set =
      InformerSet::create({*offline.connection, plan, flags, {}, offline.context()}).value();
  InformerObserver& observer = set->monitor().add("pods");
  const InformerFailure refusal{.error = Error(ErrorKind::forbidden, "no right to list")};
  test::captured(STDERR_FILENO, [&] {
    observer.on_error(refusal);
    observer.on_error(refusal);
  });
  offline.clock.advance(InformerMonitor::kDenialGrace);
  CHECK_FALSE(set->wait([] { return false; }));
  CHECK(offline.exit_request.code() == ExitCode::denied);
}

TEST_CASE("a command that prints once stops the informer that is denied") {
  InformerNeeds needs;
  needs.list_only = true;
  SetRig rig({"pods,svc"}, needs);
  const InformerSet::Member& pods = rig.set->members()[0];
  const InformerSet::Member& services = rig.set->members()[1];
  const InformerFailure refusal{.error = Error(ErrorKind::forbidden, "no right to list")};
  test::captured(STDERR_FILENO, [&] { services.observer->on_error(refusal); });
  pods.observer->on_synced({"1", 0});
  CHECK(rig.set->wait_for_sync(rig.offline.clock.now()));
  CHECK(services.informer->is_stopped());
  CHECK_FALSE(pods.informer->is_stopped());
  CHECK(rig.set->has_left_out(services));
  CHECK_FALSE(rig.offline.exit_request.code().has_value());
}

TEST_CASE("the condition is checked again after a notification and at the time of recheck") {
  SetRig rig({"pods"});
  test::FakeClock& clock = rig.offline.clock;
  const Clock::Mono recheck = clock.now() + 1s;
  int checks = 0;
  bool held = false;
  const auto wait_for_second_check = [&] {
    held = rig.set->wait([&] { return ++checks == 2; }, Clock::kNever, recheck);
  };
  SUBCASE("notification") {
    std::jthread thread(wait_for_second_check);
    clock.wait_for_sleepers(1);
    rig.offline.exit_request.notify();
  }
  SUBCASE("recheck") {
    std::jthread thread(wait_for_second_check);
    clock.wait_for_sleepers(1);
    clock.advance(1s);
  }
  CHECK(held);
  CHECK(checks == 2);
  CHECK_FALSE(rig.offline.exit_request.code().has_value());
}

TEST_CASE("a repeated task runs once per period while waiting, until it returns false") {
  SetRig rig({"pods"});
  test::FakeClock& clock = rig.offline.clock;
  int runs = 0;
  rig.set->repeat(1s, [&] { return ++runs < 2; });
  CHECK(rig.set->wait([] { return true; }));
  CHECK(runs == 0);
  clock.advance(1s);
  CHECK(rig.set->wait([] { return true; }));
  CHECK(rig.set->wait([] { return true; }));
  CHECK(runs == 1);
  clock.advance(1s);
  CHECK(rig.set->wait([] { return true; }));
  clock.advance(10s);
  CHECK(rig.set->wait([] { return true; }));
  CHECK(runs == 2);
}

TEST_CASE("informers that join later get handlers, and the others keep theirs") {
  SetRig rig({"pods"});
  test::RecordingHandler handler;
  std::vector<std::string> asked;
  const auto add_handlers = [&] {
    return rig.set->add_handlers([&](InformerSet::Member& member) -> EventHandler& {
      asked.push_back(member.description);
      return handler;
    });
  };
  REQUIRE(add_handlers().has_value());
  rig.plan.informers.push_back({rig.plan.types.front().get(), "other", ""});
  REQUIRE(rig.set->add_new({}).has_value());
  REQUIRE(add_handlers().has_value());
  CHECK(rig.set->members().size() == 2);
  CHECK(asked == std::vector<std::string>{"pods", "pods"});
}

TEST_CASE("--stats prints one line") {
  SetRig rig({"pods,svc"});
  std::vector<std::string> lines;
  log::set_sink([&](std::string_view line) { lines.emplace_back(line); });
  rig.set->print_stats(7);
  log::set_sink({});
  REQUIRE(lines.size() == 1);
  CHECK(
      lines.front().starts_with("stats: objects=0 events=7 relists=0 bytes=0 decoded=0 peak_rss="));
  CHECK(lines.front().find("synced_in=never") != std::string::npos);
}

}  // namespace
}  // namespace kinf
