// SPDX-License-Identifier: Apache-2.0
// Which informers a plan has for users with few rights, on a scripted server.
#include "kinf/cli/selection/namespace_access.h"
#include "kinf/cli/connection/connection.h"
#include "kinf/cli/flags/command_line.h"
#include "kinf/cli/flags/global_flags.h"
#include "kinf/cli/flags/informer_flags.h"
#include "kinf/cli/runtime/environment.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fakes/fixture.h"
#include "kinf/cli/selection/watch_plan.h"
#include "wire/scripted_server.h"

namespace kinf {
namespace {

using test::ScriptedServer;
using test::SeenRequest;
using test::ServerConnection;
using Names = std::vector<std::string>;

/// What the user of a server may list.
struct Rights {
  bool everywhere = false;       ///< pods in all namespaces
  bool namespaces = true;        ///< the namespaces
  std::set<std::string> pods{};  ///< the namespaces with readable pods
  Names existing{};              ///< the namespaces
};

std::string forbidden(const std::string& resource) {
  return fmt::format(R"({{"kind":"Status","apiVersion":"v1","metadata":{{}},"status":"Failure",)"
                     R"("message":"{} is forbidden: User \"dev\" cannot list resource \"{}\"",)"
                     R"("reason":"Forbidden","code":403}})",
                     resource, resource);
}

std::string namespace_list(const Names& names) {
  std::string items;
  for (const std::string& name : names) {
    items += fmt::format(R"({}{{"metadata":{{"name":"{}","uid":"u","resourceVersion":"1"}}}})",
                         items.empty() ? "" : ",", name);
  }
  return fmt::format(R"({{"kind":"NamespaceList","apiVersion":"v1","metadata":{{)"
                     R"("resourceVersion":"5"}},"items":[{}]}})",
                     items);
}

class RestrictedServer {
 public:
  explicit RestrictedServer(Rights rights)
      : rights_(std::move(rights)),
        server_([this](ServerConnection& connection, const SeenRequest& request) {
          answer(connection, request.target.substr(0, request.target.find('?')));
          return true;
        }) {}

  /// Returns the namespaces of the planned informers for pods.
  Result<Names> plan(const std::string& ns, bool accessible, const std::string& labels = "") {
    GlobalFlags global;
    global.all_namespaces = ns == "*";
    if (!global.all_namespaces) global.config.overrides.name_space = ns;
    global.config.overrides.server = server_.url();
    InformerFlags flags;
    flags.types = {{"pods", {}}};
    flags.accessible = accessible;
    flags.namespace_selector = labels;
    const auto connection = Connection::open(global, {}, environment_, clock_, {}).value();
    const Result<WatchPlan> plan = make_plan(*connection, global, flags, Clock::kNever);
    if (!plan) return std::unexpected(plan.error());
    Names names;
    for (const PlannedInformer& planned : plan->informers) names.push_back(planned.ns);
    return names;
  }
  Names targets() const {
    Names targets;
    for (const SeenRequest& request : server_.requests()) targets.push_back(request.target);
    return targets;
  }

 private:
  void answer(ServerConnection& connection, const std::string& path) const {
    const std::string before = "/api/v1/namespaces/";
    const auto reply = [&](bool permitted, const std::string& resource, const std::string& body) {
      connection.answer(permitted ? 200 : 403, "application/json",
                        permitted ? body : forbidden(resource));
    };
    if (path == "/version") return reply(true, "", "{}");
    if (path == "/api/v1") return reply(true, "", test::fixture("discovery/api-v1.json"));
    if (path == "/api/v1/pods") return reply(rights_.everywhere, "pods", namespace_list({}));
    if (path == "/api/v1/namespaces") {
      return reply(rights_.namespaces, "namespaces", namespace_list(rights_.existing));
    }
    const std::string ns = path.substr(before.size(), path.rfind('/') - before.size());
    reply(rights_.pods.contains(ns), "pods", namespace_list({}));
  }

  const Rights rights_;
  RealClock clock_;
  Environment environment_;
  ScriptedServer server_;
};

TEST_CASE("a user who may list all namespaces gets one informer for a glob") {
  RestrictedServer server({.everywhere = true, .existing = {"a"}});
  CHECK(server.plan("team-*", false).value() == Names{""});
  CHECK(server.plan("*", true).value() == Names{""});
  CHECK(server.plan("", false, "team=web").value() == Names{""});
  for (const std::string& target : server.targets()) {
    CHECK((target == "/version" || target == "/api/v1" || target == "/api/v1/pods?limit=1"));
  }
}

TEST_CASE("another user gets one informer for each namespace that matches") {
  RestrictedServer server({.pods = {"team-b"}, .existing = {"team-b", "shop", "team-a"}});
  CHECK(server.plan("team-*", false).value() == Names{"team-a", "team-b"});
  CHECK(server.plan("!team-*", false).value() == Names{"shop"});
  CHECK(server.plan("", false, "team=web").value() == Names{"shop", "team-a", "team-b"});
  CHECK(server.targets().back() == "/api/v1/namespaces?labelSelector=team%3Dweb&limit=500");
}

TEST_CASE("--accessible leaves out the namespaces that the user may not read") {
  Names many;
  std::set<std::string> readable;
  for (int i = 100; i < 220; ++i) {
    many.push_back(fmt::format("ns-{}", i));
    if (i % 10 == 0) readable.insert(many.back());
  }
  RestrictedServer server({.pods = readable, .existing = many});
  CHECK(server.plan("*", true).value() == Names(readable.begin(), readable.end()));
  CHECK(server.plan("ns-1*,!ns-11?", true).value().size() == 9);
  const auto none = server.plan("ns-101,ns-10?,!ns-100", true);
  REQUIRE_FALSE(none.has_value());
  CHECK(none.error().kind == ErrorKind::forbidden);
  CHECK(none.error().message == "pods cannot be listed in any of the selected namespaces");
  const auto exact = server.plan("ns-100", true);
  REQUIRE_FALSE(exact.has_value());
  CHECK(exact.error().message == "--accessible needs -A or a namespace with a wildcard");
}

TEST_CASE("more than 50 namespaces are not watched one by one") {
  Names many;
  for (int i = 100; i < 151; ++i) many.push_back(fmt::format("ns-{}", i));
  RestrictedServer server({.pods = {many.begin(), many.end()}, .existing = many});
  const auto plan = server.plan("*", true);
  REQUIRE_FALSE(plan.has_value());
  CHECK(plan.error().kind == ErrorKind::usage);
  CHECK(plan.error().message == "51 namespaces match, but kinf watches at most 50 one by one");
  CHECK(server.plan("!ns-100", false).value().size() == 50);
}

TEST_CASE("a user who may not list namespaces is told to name them") {
  RestrictedServer server({.namespaces = false, .existing = {"a"}});
  for (const bool accessible : {false, true}) {
    const auto plan = server.plan("team-*", accessible);
    REQUIRE_FALSE(plan.has_value());
    CHECK(plan.error().kind == ErrorKind::forbidden);
    CHECK(plan.error().message.find("namespaces is forbidden") != std::string::npos);
    CHECK(plan.error().hint == "you may not list namespaces; name them: -n NAME[,NAME...]");
  }
}

}  // namespace
}  // namespace kinf
