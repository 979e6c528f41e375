// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/session.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include "kinf/api/api_status.h"
#include "kinf/cli/flags/command_line.h"
#include "kinf/cli/flags/global_flags.h"
#include "kinf/cli/flags/informer_flags.h"
#include "kinf/cli/flags/output_flags.h"
#include "kinf/cli/flags/watch_flags.h"
#include "kinf/cli/session/informer_set.h"
#include "kinf/print/event_printer.h"
#include "unit/cli/connection/offline_connection.h"
#include "unit/cli/runtime/captured_stream.h"
#include "unit/print/sample_objects.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;
using Words = std::vector<std::string>;

/// A plan for one type in these namespaces.
WatchPlan plan_for(const ResourceType& type, std::vector<std::string> namespaces) {
  WatchPlan plan;
  plan.types.push_back(std::make_unique<ResourceType>(type));
  plan.namespaces = std::move(namespaces);
  return plan;
}

TEST_CASE("colour follows the flag, then the environment, then the terminal") {
  struct Case {
    ColourChoice flag;
    bool no_colour;
    bool force;
    bool terminal;
    bool dumb;
    bool colour;
  };
  using enum ColourChoice;
  for (const Case& one : {Case{automatic, false, false, true, false, true},
                          Case{automatic, false, false, false, false, false},
                          Case{automatic, false, false, true, true, false},
                          Case{automatic, false, true, false, false, true},
                          Case{automatic, true, true, true, false, false},
                          Case{always, true, false, false, true, true},
                          Case{never, false, true, true, false, false}}) {
    GlobalFlags global;
    global.colour = one.flag;
    Environment environment;
    environment.no_colour = one.no_colour;
    environment.force_colour = one.force;
    environment.stdout_is_terminal = one.terminal;
    environment.dumb_terminal = one.dumb;
    CHECK(print_options({}, global, {}, environment).colour == one.colour);
  }
}

TEST_CASE("the namespace and the type are printed where objects can have several") {
  const PrintOptions one = print_options({}, {}, plan_for(test::kPods, {"a"}), {});
  CHECK_FALSE(one.with_namespace);
  CHECK_FALSE(one.several_types);
  CHECK(print_options({}, {}, plan_for(test::kPods, {"a", "b"}), {}).with_namespace);
  WatchPlan all = plan_for(test::kPods, {});
  all.types.push_back(std::make_unique<ResourceType>(test::kServices));
  const PrintOptions several = print_options({}, {}, all, {});
  CHECK(several.with_namespace);
  CHECK(several.several_types);
}

TEST_CASE("the flags of the output reach the printer") {
  OutputFlags output;
  output.format = OutputFormat::wide;
  output.no_headers = true;
  output.show_labels = true;
  output.label_columns = {"app"};
  output.show_secrets = true;
  const PrintOptions options = print_options(output, {}, {}, {});
  CHECK(options.format == OutputFormat::wide);
  CHECK_FALSE(options.headers);
  CHECK(options.show_labels);
  CHECK(options.label_columns == std::vector<std::string>{"app"});
  CHECK(options.show_secrets);
  CHECK(print_options({}, {}, {}, {}).headers);
}

TEST_CASE("a time limit counts from now, and without one there is no deadline") {
  test::FakeClock clock;
  CHECK(deadline_after(Clock::Duration(5s), clock) == clock.now() + 5s);
  CHECK(deadline_after(std::nullopt, clock) == Clock::kNever);
}

TEST_CASE("when nothing is found, the namespace is named if the objects have one") {
  const auto printed = [](const WatchPlan& plan) {
    return test::captured(STDERR_FILENO, [&] { print_nothing_found(plan); });
  };
  const ResourceType nodes{{"", "v1", "nodes"}, "Node", "node", false};
  CHECK(printed(plan_for(test::kPods, {"shop"})) == "No resources found in shop namespace.\n");
  CHECK(printed(plan_for(test::kPods, {})) == "No resources found\n");
  CHECK(printed(plan_for(nodes, {"shop"})) == "No resources found\n");
}

/// A session on a server that is never asked.
struct SessionRig {
  explicit SessionRig(const std::vector<std::string>& arguments, std::string ns = "") {
    flags.types = parse_type_args(arguments).value();
    offline.global.config.overrides.name_space = std::move(ns);
    const CommandContext context = offline.context();
    Result<Session> opened = open_session(offline.global, flags, false, context);
    if (!opened) FAIL(opened.error().message);
    session = *std::move(opened);
    REQUIRE(add_informers(session, flags, needs_of(GetCommand()), context).has_value());
  }
  std::vector<std::string> descriptions() {
    std::vector<std::string> texts;
    for (const auto& member : session.informers->members()) texts.push_back(member.description);
    return texts;
  }

  test::OfflineConnection offline;
  InformerFlags flags;
  Session session;
};

TEST_CASE("a session has an informer for everything that the plan asks for") {
  CHECK(SessionRig({"pods,deploy"}).descriptions() == Words{"pods", "deployments.apps"});
  CHECK(SessionRig({"pods", "web"}).descriptions() == Words{"pods/web"});
  CHECK(SessionRig({"pods,nodes"}, "a,b").descriptions() ==
        Words{"pods in a", "pods in b", "nodes"});
}

TEST_CASE("a session on a real server never has a scenario that ends") {
  SessionRig rig({"pods"});
  CHECK_FALSE(rig.session.informers->has_handled_last_change());
}

TEST_CASE("a session cannot be opened for namespaces that cannot exist") {
  test::OfflineConnection offline;
  GlobalFlags global = offline.global;
  global.config.overrides.name_space = "a b";
  InformerFlags flags;
  flags.types = {{"pods", {}}};
  const Result<Session> session = open_session(global, flags, false, offline.context());
  REQUIRE_FALSE(session.has_value());
  CHECK(session.error().kind == ErrorKind::usage);
  CHECK_FALSE(offline.exit_request.code().has_value());
}

}  // namespace
}  // namespace kinf
