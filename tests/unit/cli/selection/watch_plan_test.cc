// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/selection/watch_plan.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>

#include "fakes/object_builder.h"

#include "kinf/cli/flags/informer_flags.h"
#include "kinf/cli/flags/type_args.h"
#include "unit/cli/connection/offline_connection.h"

namespace kinf {
namespace {

using Words = std::vector<std::string>;

/// The input of a plan: the value of -n (empty: not given; `*`: -A) and the arguments.
struct Request {
  std::string ns;
  Words arguments;
};

Result<WatchPlan> plan_of(const Request& request, InformerFlags flags = {}) {
  GlobalFlags global;
  global.all_namespaces = request.ns == "*";
  if (!global.all_namespaces) global.config.overrides.name_space = request.ns;
  test::OfflineConnection offline(global);
  flags.types = parse_type_args(request.arguments).value();
  return make_plan(*offline.connection, offline.global, flags, offline.clock.now());
}

/// `pods in shop`, `pods/web in shop`, `nodes`: one text per informer.
Words informers_of(const WatchPlan& plan) {
  Words texts;
  for (const PlannedInformer& informer : plan.informers) {
    std::string text = informer.type->gvr.group_resource();
    if (!informer.name.empty()) text += "/" + informer.name;
    for (const ValuePattern& name : informer.names) text += "/" + name.text();
    if (!informer.ns.empty()) text += " in " + informer.ns;
    texts.push_back(text);
  }
  return texts;
}

TEST_CASE("a plan has one informer per type, namespace and name") {
  struct Case {
    Request request;
    Words informers;
  };
  const Case cases[] = {
      {{"", {"pods"}}, {"pods in shop"}},
      {{"a", {"po,deploy"}}, {"pods in a", "deployments.apps in a"}},
      {{"a,b", {"pods"}}, {"pods in a", "pods in b"}},
      {{"a,b", {"pods", "x", "y"}}, {"pods/x in a", "pods/y in a", "pods/x in b", "pods/y in b"}},
      {{"*", {"pods"}}, {"pods"}},
      {{"a,b", {"nodes"}}, {"nodes"}},
      {{"a,b", {"nodes", "n1"}}, {"nodes/n1"}},
      {{"*", {"nodes", "n1"}}, {"nodes/n1"}},
      {{"a", {"pod/x", "deploy/y"}}, {"pods/x in a", "deployments.apps/y in a"}},
      {{"a", {"pods", "x-*", "z", "x-1", "?"}}, {"pods/x-*/? in a"}},
      {{"a", {"pods", "x-*", "yy", "x-1"}}, {"pods/yy in a", "pods/x-* in a"}},
      {{"*", {"pods", "x-*"}}, {"pods/x-*"}},
      {{"a,b,!b", {"pods"}}, {"pods in a"}},
  };
  for (const Case& one : cases) {
    const Result<WatchPlan> plan = plan_of(one.request);
    REQUIRE(plan.has_value());
    CHECK(informers_of(*plan) == one.informers);
  }
}

TEST_CASE("a type with two names in one command is one type, and its objects are watched once") {
  const WatchPlan plan = plan_of({"a", {"pods,po,pod"}}).value();
  CHECK(plan.types.size() == 1);
  CHECK_FALSE(plan.several_types());
  CHECK(informers_of(plan) == Words{"pods in a"});
  CHECK(informers_of(plan_of({"a", {"po/x", "pods/x", "pods/y"}}).value()) ==
        Words{"pods/x in a", "pods/y in a"});
}

TEST_CASE("a category stands for its types") {
  const WatchPlan plan = plan_of({"a", {"all"}}).value();
  CHECK(plan.several_types());
  const Words informers = informers_of(plan);
  for (const char* text : {"pods in a", "services in a", "deployments.apps in a"}) {
    CHECK(std::ranges::find(informers, text) != informers.end());
  }
  CHECK(std::ranges::find(informers, "configmaps in a") == informers.end());
}

TEST_CASE("a glob selects by name, and a filter of namespaces by namespace") {
  WatchPlan plan = plan_of({"a", {"pods", "web-*", "db-?"}}).value();
  const Selection names = plan.selection_of(plan.informers.front());
  const auto pod = [](const std::string& ns, const std::string& name) {
    test::ObjectSpec spec;
    spec.ns = ns;
    spec.name = name;
    return test::make_object(spec);
  };
  CHECK(names.selects(*pod("a", "web-1")));
  CHECK(names.selects(*pod("a", "db-1")));
  CHECK_FALSE(names.selects(*pod("a", "db-10")));
  plan = plan_of({"*", {"pods"}}).value();
  CHECK(plan.selection_of(plan.informers.front()).selects_all());
  plan.filter = NamespaceFilter::parse("team-*").value();
  const Selection namespaces = plan.selection_of(plan.informers.front());
  CHECK(namespaces.selects(*pod("team-a", "x")));
  CHECK_FALSE(namespaces.selects(*pod("shop", "x")));
}

TEST_CASE("only a plan for one name in one namespace is for a single object") {
  struct Case {
    Request request;
    bool single;
  };
  for (const Case& one :
       {Case{{"a", {"pods", "x"}}, true}, Case{{"", {"node/n1"}}, true},
        Case{{"a", {"pods"}}, false}, Case{{"a", {"pods", "x", "y"}}, false},
        Case{{"a,b", {"pods", "x"}}, false}, Case{{"a", {"pods,svc", "x"}}, false}}) {
    CHECK(plan_of(one.request).value().single_object == one.single);
  }
}

TEST_CASE("a plan describes its namespaces for messages") {
  struct Case {
    Request request;
    std::string where;
    bool several_namespaces;
    bool several_types;
  };
  for (const Case& one :
       {Case{{"", {"pods"}}, "shop namespace", false, false},
        Case{{"a,b", {"pods,svc"}}, "a, b namespace", true, true},
        Case{{"*", {"pods"}}, "", true, false}, Case{{"a", {"nodes"}}, "", false, false},
        Case{{"a", {"nodes,pods"}}, "a namespace", false, true}}) {
    const WatchPlan plan = plan_of(one.request).value();
    CHECK(plan.where() == one.where);
    CHECK(plan.several_namespaces() == one.several_namespaces);
    CHECK(plan.several_types() == one.several_types);
  }
}

TEST_CASE("invalid input is a usage error") {
  const Result<WatchPlan> by_name = plan_of({"*", {"pods", "web"}});
  REQUIRE_FALSE(by_name.has_value());
  CHECK(by_name.error().message == "a resource cannot be retrieved by name across all namespaces");
  CHECK(by_name.error().kind == ErrorKind::usage);
  CHECK(by_name.error().hint == "a name with a wildcard can");
  const Result<WatchPlan> bad_namespace = plan_of({"a/b", {"pods"}});
  REQUIRE_FALSE(bad_namespace.has_value());
  CHECK(bad_namespace.error().kind == ErrorKind::usage);
  CHECK(bad_namespace.error().message.find("\"a/b\"") != std::string::npos);
}

TEST_CASE("with --wait-for-type, a type is planned once it exists") {
  InformerFlags flags;
  flags.wait_for_type = true;
  CHECK(informers_of(plan_of({"", {"pods"}}, flags).value()) == Words{"pods in shop"});
}

}  // namespace
}  // namespace kinf
