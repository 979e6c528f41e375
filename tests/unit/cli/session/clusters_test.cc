// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/clusters.h"

#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <vector>

#include "fakes/temp_folder.h"
#include "kinf/base/log.h"
#include "kinf/cli/flags/command_line.h"
#include "kinf/cli/flags/global_flags.h"
#include "kinf/cli/flags/informer_flags.h"
#include "unit/cli/connection/offline_connection.h"

namespace kinf {
namespace {

using Names = std::vector<std::string>;

/// A kubeconfig with the contexts `a` (namespace shop), `b` (no namespace) and `x,y`.
struct ContextsRig {
  ContextsRig() {
    global.config.kubeconfig =
        folder.write("config",
                     "clusters: [{name: c, cluster: {server: 'https://offline.example:6443'}}]\n"
                     "contexts: [{name: a, context: {cluster: c, namespace: shop}},\n"
                     "  {name: b, context: {cluster: c}}, {name: 'x,y', context: {cluster: c}}]\n");
    log::set_sink([](std::string_view) {});
  }
  ~ContextsRig() { log::set_sink({}); }
  Result<Names> contexts(const std::string& text) {
    global.config.overrides.context = text;
    return chosen_contexts(global, environment);
  }
  CommandContext context() { return {environment, clock, exit_request, exit_request.stop_token()}; }

  test::TempFolder folder;
  Environment environment;
  RealClock clock;
  ExitRequest exit_request;
  GlobalFlags global;
};

TEST_CASE("--context can be a list of contexts, each of which counts once") {
  ContextsRig rig;
  CHECK(rig.contexts("").value().empty());
  CHECK(rig.contexts("a").value().empty());
  CHECK(rig.contexts("x,y").value().empty());
  CHECK(rig.contexts("b,a,b").value() == Names{"b", "a"});
  CHECK(rig.contexts("a,a").value() == Names{"a"});
}

TEST_CASE("an unknown context is an error that lists the others") {
  ContextsRig rig;
  const Result<Names> names = rig.contexts("a,nosuch");
  REQUIRE_FALSE(names.has_value());
  CHECK(names.error().message == "context \"nosuch\" does not exist");
  CHECK(names.error().hint == "contexts: a, b, x,y");
}

TEST_CASE("flags that name one server do not fit several contexts") {
  ContextsRig rig;
  rig.global.config.overrides.server = "https://other.example";
  const Result<Names> names = rig.contexts("a,b");
  REQUIRE_FALSE(names.has_value());
  CHECK(names.error().kind == ErrorKind::usage);
  CHECK(rig.contexts("a").has_value());
}

TEST_CASE("contexts with different namespaces need a column for it") {
  ContextsRig rig;
  CHECK(have_different_namespaces({"a", "b"}, rig.global, rig.environment));
  CHECK_FALSE(have_different_namespaces({"b"}, rig.global, rig.environment));
  rig.global.config.overrides.name_space = "n";
  CHECK_FALSE(have_different_namespaces({"a", "b"}, rig.global, rig.environment));
}

TEST_CASE("when no cluster can be read, the command ends") {
  ContextsRig rig;
  rig.global.config.overrides.context = "a,b";
  const CommandContext context = rig.context();
  const InformerFlags flags;  // they ask for no type, so that no session opens
  const auto clusters = Clusters::create({rig.global, flags}, context).value();
  CHECK(clusters->are_several());
  bool has_worked = false;
  const Result<void> done = clusters->keep_running([&](CommandCluster&) -> Result<void> {
    has_worked = true;
    return {};
  });
  CHECK(done.has_value());
  CHECK_FALSE(has_worked);
  CHECK(rig.exit_request.code().has_value());
  CHECK(clusters->readable().empty());
}

TEST_CASE("the end of the command ends every attempt") {
  ContextsRig rig;
  rig.global.config.overrides.context = "a,b";
  const CommandContext context = rig.context();
  const InformerFlags flags;
  const auto clusters = Clusters::create({rig.global, flags, false}, context).value();
  std::atomic<int> ended = 0;
  rig.exit_request.set(ExitCode::interrupted);
  const Result<void> done = clusters->run([](CommandCluster&) { return Result<void>(); },
                                          [&](const CommandCluster& cluster) {
                                            if (cluster.code() == ExitCode::interrupted) ++ended;
                                          });
  CHECK(done.has_value());
  CHECK(ended == 2);
}

TEST_CASE("the only cluster of a command has the context of the command, and returns its errors") {
  test::OfflineConnection offline;
  const CommandContext context = offline.context();
  InformerFlags flags;
  flags.types = {{"pods", {}}};
  const auto clusters = Clusters::create({offline.global, flags, false}, context).value();
  CHECK_FALSE(clusters->are_several());
  CHECK(clusters->size() == 1);
  const Result<void> done = clusters->run([&](CommandCluster& cluster) -> Result<void> {
    CHECK(cluster.name().empty());
    CHECK(&cluster.context() == &context);
    CHECK(cluster.session().plan.cluster.empty());
    return fail(ErrorKind::internal, "no");
  });
  REQUIRE_FALSE(done.has_value());
  CHECK(done.error().message == "no");
  CHECK_FALSE(offline.exit_request.code().has_value());
  CHECK(clusters->sessions().empty());  // it has no informers
}

}  // namespace
}  // namespace kinf
