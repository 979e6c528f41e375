// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/connection/connection.h"

#include <doctest/doctest.h>

#include "unit/cli/connection/offline_connection.h"

namespace kinf {
namespace {

using test::OfflineConnection;

TEST_CASE("types are resolved from the cache of an earlier run, by any of their names") {
  OfflineConnection offline;
  struct Case {
    const char* name;
    const char* type;
  };
  for (const Case& one : {Case{"po", "pods"}, Case{"pod", "pods"}, Case{"Pod", "pods"},
                          Case{"deploy", "deployments.apps"}, Case{"nodes", "nodes"},
                          Case{"deployments.apps", "deployments.apps"}}) {
    CAPTURE(one.name);
    const Result<ResourceType> type = offline.connection->resolve(one.name);
    REQUIRE(type.has_value());
    CHECK(type->gvr.group_resource() == one.type);
  }
}

TEST_CASE("a type that cannot be watched is refused, unless the command only lists") {
  OfflineConnection follows;
  const auto refused = follows.connection->expand("componentstatuses");
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().message ==
        "componentstatuses cannot be watched: the server can only list them");
  CHECK(refused.error().hint == "kinf get componentstatuses prints them once");
  const auto lists = Connection::open(follows.global, {.play_scenario = false}, follows.environment,
                                      follows.clock, {});
  REQUIRE(lists.has_value());
  CHECK((*lists)->expand("componentstatuses").has_value());
}

TEST_CASE("a type that the server knows already is not waited for") {
  OfflineConnection offline;
  const Result<std::vector<ResourceType>> types =
      offline.connection->wait_for_type("svc", offline.clock.now());
  REQUIRE(types.has_value());
  REQUIRE(types->size() == 1);
  CHECK(types->front().gvr.resource == "services");
}

TEST_CASE("a type that is not in the cache is asked from the server, until stop") {
  OfflineConnection offline;
  const Result<ResourceType> type = offline.connection->resolve("unknowns");
  REQUIRE_FALSE(type.has_value());
  CHECK(type.error().kind == ErrorKind::stopped);
}

TEST_CASE("another server or user does not use the cache") {
  GlobalFlags flags;
  flags.config.overrides.as = "someone";
  OfflineConnection own(flags);
  CHECK(own.connection->resolve("pods").has_value());
  flags = own.global;
  flags.config.overrides.as = "another";
  const auto other = Connection::open(flags, {}, own.environment, own.clock, own.stop.get_token());
  REQUIRE(other.has_value());
  CHECK_FALSE((*other)->resolve("pods").has_value());
}

TEST_CASE("a hint can repeat the flags of the connection, except secrets") {
  CHECK(OfflineConnection().connection->repeated_flags().find("--as") == std::string::npos);
  GlobalFlags flags;
  flags.config.overrides.as = "jane doe";
  flags.config.overrides.as_groups = {"dev", "ops"};
  flags.config.overrides.token = "secret";
  OfflineConnection offline(flags);
  const std::string& repeated = offline.connection->repeated_flags();
  CHECK(repeated.ends_with(" --as 'jane doe' --as-group dev --as-group ops"));
  CHECK(repeated.find("secret") == std::string::npos);
  flags = offline.global;
  flags.config.overrides.server = "https://user:secret@10.0.0.1:6443";
  const auto other =
      Connection::open(flags, {}, offline.environment, offline.clock, offline.stop.get_token());
  REQUIRE(other.has_value());
  CHECK((*other)->repeated_flags().find(" --server https://10.0.0.1:6443") != std::string::npos);
}

TEST_CASE("flags choose the namespace, the context's is used without them") {
  CHECK(OfflineConnection().connection->config().default_namespace == "shop");
  GlobalFlags flags;
  flags.config.overrides.name_space = "payments";
  CHECK(OfflineConnection(flags).connection->config().default_namespace == "payments");
}

TEST_CASE("the hint for a missing server names the other contexts") {
  CHECK(OfflineConnection({}, {"dev", "stage"}).connection->network_hint() ==
        "other contexts: dev, stage;  or set --server");
  const std::vector<std::string> many = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
  CHECK(OfflineConnection({}, many).connection->network_hint() ==
        "other contexts: a, b, c, d, e, f, g, h, …;  or set --server");
  const std::string alone = OfflineConnection().connection->network_hint();
  CHECK(alone.find("--server") != std::string::npos);
  CHECK(alone.find("other contexts") == std::string::npos);
}

TEST_CASE("a real server has no sandbox and no scenario that ends") {
  OfflineConnection offline;
  CHECK(offline.connection->sandbox() == nullptr);
  CHECK_FALSE(offline.connection->has_scenario_ended_at("1000000"));
  CHECK_FALSE(offline.connection->has_scenario_ended_at(""));
}

TEST_CASE("a broken configuration is not reported as a wrong command line") {
  OfflineConnection offline;
  GlobalFlags flags;
  flags.config.kubeconfig = offline.folder.write("broken", "contexts: [");
  const auto opened = Connection::open(flags, {}, offline.environment, offline.clock, {});
  REQUIRE_FALSE(opened.has_value());
  CHECK(opened.error().kind != ErrorKind::usage);
}

}  // namespace
}  // namespace kinf
