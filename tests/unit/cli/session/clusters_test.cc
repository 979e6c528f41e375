// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/clusters.h"

#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <vector>

#include "fakes/temp_folder.h"
#include "kinf/base/log.h"
#include "unit/cli/connection/offline_connection.h"

namespace kinf {
namespace {

using Names = std::vector<std::string>;

/// A kubeconfig with the contexts `a` (namespace shop), `b` (no namespace) and `x,y`.
struct Rig {
  Rig() {
    global.config.kubeconfig =
        folder.write("config",
                     "clusters: [{name: c, cluster: {server: 'https://offline.example:6443'}}]\n"
                     "contexts: [{name: a, context: {cluster: c, namespace: shop}},\n"
                     "  {name: b, context: {cluster: c}}, {name: 'x,y', context: {cluster: c}}]\n");
    log::set_sink([](std::string_view) {});
  }
  ~Rig() { log::set_sink({}); }
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
  Rig rig;
  CHECK(rig.contexts("").value().empty());
  CHECK(rig.contexts("a").value().empty());
  CHECK(rig.contexts("x,y").value().empty());
  CHECK(rig.contexts("b,a,b").value() == Names{"b", "a"});
  CHECK(rig.contexts("a,a").value() == Names{"a"});
}

TEST_CASE("an unknown context is an error that lists the others") {
  Rig rig;
  const Result<Names> names = rig.contexts("a,nosuch");
  REQUIRE_FALSE(names.has_value());
  CHECK(names.error().message == "context \"nosuch\" does not exist");
  CHECK(names.error().hint == "contexts: a, b, x,y");
}

TEST_CASE("flags that name one server do not fit several contexts") {
  Rig rig;
  rig.global.config.overrides.server = "https://other.example";
  const Result<Names> names = rig.contexts("a,b");
  REQUIRE_FALSE(names.has_value());
  CHECK(names.error().kind == ErrorKind::usage);
  CHECK(rig.contexts("a").has_value());
}

TEST_CASE("contexts with different namespaces need a column for it") {
  Rig rig;
  CHECK(have_different_namespaces({"a", "b"}, rig.global, rig.environment));
  CHECK_FALSE(have_different_namespaces({"b"}, rig.global, rig.environment));
  rig.global.config.overrides.name_space = "n";
  CHECK_FALSE(have_different_namespaces({"a", "b"}, rig.global, rig.environment));
}

TEST_CASE("when no cluster can be reached, the command ends") {
  Rig rig;
  const CommandContext context = rig.context();
  Clusters clusters({"nowhere", "neither"}, context);
  std::atomic<int> attempts = 0;
  clusters.keep_running([&](Cluster& cluster) {
    ++attempts;
    cluster.attempt(rig.global, {}, true, Clock::kNever);
  });
  CHECK(attempts == 2);
  CHECK(rig.exit_request.code().has_value());
}

TEST_CASE("the end of the command ends every attempt") {
  Rig rig;
  const CommandContext context = rig.context();
  Clusters clusters({"a", "b"}, context);
  std::atomic<int> ended = 0;
  rig.exit_request.set(ExitCode::interrupted);
  clusters.run([&](Cluster& cluster) {
    const Cluster::Attempt& attempt = cluster.attempt(rig.global, {}, false, Clock::kNever);
    if (attempt.exit_request.code() == ExitCode::interrupted) ++ended;
  });
  CHECK(ended == 2);
}

}  // namespace
}  // namespace kinf
