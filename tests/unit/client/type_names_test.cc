// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include "fakes/fixture.h"
#include "kinf/client/discovery_document.h"
#include "kinf/client/type_names.h"

namespace kinf {
namespace {

using test::discovery_fixture;

std::vector<ApiResource> core() {
  return parse_resource_list(discovery_fixture("api-v1.json"), "", "v1").value();
}

std::vector<ApiResource> groups() {
  return parse_groups(discovery_fixture("apis-aggregated.json")).value().resources;
}

ApiResource made(std::string group, std::string version, std::string plural, std::string kind,
                 std::vector<std::string> short_names = {}) {
  ApiResource resource;
  resource.type = {
      {std::move(group), std::move(version), std::move(plural)}, std::move(kind), "", true};
  resource.short_names = std::move(short_names);
  resource.verbs = {"list"};
  return resource;
}

TEST_CASE("a type is found by its plural, singular, short name and kind, in any case") {
  const std::vector<ApiResource> types = core();
  for (const char* name : {"pods", "pod", "po", "Pod", "PODS", "Po"}) {
    CAPTURE(name);
    const ApiResource* found = find_type(types, name);
    REQUIRE(found != nullptr);
    CHECK(found->type == ResourceType{{"", "v1", "pods"}, "Pod", "pod", true});
  }
  CHECK(find_type(types, "no")->type.gvr.resource == "nodes");
  CHECK_FALSE(find_type(types, "nodes")->type.namespaced);
  CHECK(find_type(types, "poods") == nullptr);
  CHECK(find_type(types, "") == nullptr);
}

TEST_CASE("a plural in a later group wins over a short name in an earlier one") {
  const std::vector<ApiResource> types = {made("a.test", "v1", "things", "Thing", {"deals"}),
                                          made("b.test", "v1", "deals", "Deal")};
  CHECK(find_type(types, "deals")->type.gvr.group == "b.test");
}

TEST_CASE("among groups and versions the server's order decides") {
  const std::vector<ApiResource> types = groups();
  const ApiResource* scaler = find_type(types, "hpa");
  REQUIRE(scaler != nullptr);
  CHECK(scaler->type.gvr == GroupVersionResource{"autoscaling", "v2", "horizontalpodautoscalers"});
  const std::vector<ApiResource> twins = {made("a.test", "v1", "things", "Thing"),
                                          made("b.test", "v1", "things", "Thing")};
  CHECK(find_type(twins, "things")->type.gvr.group == "a.test");
  CHECK(find_type_in_group(twins, "things", "b.test")->type.gvr.group == "b.test");
}

TEST_CASE("a group may be given in full or by its beginning") {
  const std::vector<ApiResource> types = groups();
  CHECK(find_type_in_group(types, "events", "events.k8s.io")->type.gvr.group == "events.k8s.io");
  CHECK(find_type_in_group(types, "hpa", "autoscal")->type.gvr.version == "v2");
  CHECK(find_type_in_group(types, "deploy", "apps")->type.kind == "Deployment");
  CHECK(find_type_in_group(types, "deploy", "batch") == nullptr);
}

TEST_CASE("a name is split at its dots") {
  CHECK(split_type_name("pods").group.empty());
  const TypeName grouped = split_type_name("widgets.example.test");
  CHECK(grouped.type == "widgets");
  CHECK(grouped.group == "example.test");
  CHECK_FALSE(grouped.has_version());
  const TypeName full = split_type_name("deployments.v1.apps");
  CHECK(full.version == "v1");
  CHECK(full.group_behind_version == "apps");
  CHECK(full.group == "v1.apps");
  const TypeName core_version = split_type_name("pods.v1.");
  CHECK(core_version.version == "v1");
  CHECK(core_version.group_behind_version.empty());
  const TypeName short_version = split_type_name("pods.v1");
  CHECK(short_version.version == "v1");
  CHECK(short_version.group_behind_version.empty());
  CHECK_FALSE(split_type_name("a.volumes.io").has_version());
}

TEST_CASE("an unknown type gives kubectl's message and similar names") {
  std::vector<ApiResource> types = core();
  for (ApiResource& type : groups()) types.push_back(std::move(type));
  const Error error = unknown_type("poods", {types});
  CHECK(error.kind == ErrorKind::usage);
  CHECK(error.message == "the server doesn't have a resource type \"poods\"");
  CHECK(error.hint == "did you mean pods (po)?  run `kinf api-resources` to list all types");
  CHECK(unknown_type("deplyoment", {types}).hint.starts_with("did you mean deployments (deploy)?"));
  CHECK(unknown_type("deplyoments.apps", {types}).hint.starts_with("did you mean deployments"));
  CHECK(unknown_type("xyzzy-nothing", {types}).hint ==
        "run `kinf api-resources` to list all types");
  CHECK(unknown_type(std::string(100'000, 'p'), {types}).hint ==
        "run `kinf api-resources` to list all types");
}

}  // namespace

namespace {

TEST_CASE("a swap of two characters is one change, and case does not count") {
  CHECK(edit_distance("prod-east", "prod-eats") == 1);
  CHECK(edit_distance("Dev", "dev") == 0);
  CHECK(edit_distance("", "dev") == 3);
  CHECK(edit_distance("acb", "abc") == 1);
  CHECK(edit_distance("badcfe", "abcdef") == 3);
}

TEST_CASE("a distance that is too far is the same for all names") {
  CHECK(edit_distance("dev", "production") == kFarNames);
  CHECK(edit_distance("configmpas", "things000001") == kFarNames);
  CHECK(edit_distance("badcfehg", "abcdefgh") == kFarNames);
  CHECK(edit_distance("badcfeh", "abcdefghijk") == kFarNames);
  CHECK(edit_distance(std::string(100'000, 'a'), std::string(100'000, 'b')) == kFarNames);
}

TEST_CASE("the nearest names come first, and those too far are left out") {
  CHECK(similar_names_hint("web", {{9, "database"}}).empty());
  CHECK(similar_names_hint("abcdefgh", {{3, "c"}, {1, "a"}, {4, "d"}, {1, "a"}, {2, "b"}}) ==
        "did you mean a, b or c?  ");
}

}  // namespace

}  // namespace kinf
