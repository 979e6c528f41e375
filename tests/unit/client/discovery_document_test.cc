// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/discovery_document.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "fakes/fixture.h"

namespace kinf {
namespace {

using test::discovery_fixture;

TEST_CASE("a resource list gives types without their subresources") {
  const auto types =
      parse_resource_list(discovery_fixture("apis-apps-v1.json"), "apps", "v1").value();
  const auto deployments = std::find_if(types.begin(), types.end(), [](const ApiResource& type) {
    return type.type.gvr.resource == "deployments";
  });
  REQUIRE(deployments != types.end());
  CHECK(deployments->type ==
        ResourceType{{"apps", "v1", "deployments"}, "Deployment", "deployment", true});
  CHECK(deployments->short_names == std::vector<std::string>{"deploy"});
  CHECK(deployments->categories == std::vector<std::string>{"all"});
  CHECK(deployments->has_verb("watch"));
  CHECK_FALSE(deployments->has_verb("proxy"));
  for (const ApiResource& type : types) {
    CHECK(type.type.gvr.resource.find('/') == std::string::npos);
  }
}

TEST_CASE("the aggregated list gives the same types as the old lists") {
  const auto aggregated = parse_groups(discovery_fixture("api-aggregated.json")).value().resources;
  const auto listed = parse_resource_list(discovery_fixture("api-v1.json"), "", "v1").value();
  REQUIRE(aggregated.size() == listed.size());
  for (std::size_t i = 0; i < listed.size(); ++i) {
    CHECK(aggregated[i].type == listed[i].type);
    CHECK(aggregated[i].short_names == listed[i].short_names);
    CHECK(aggregated[i].verbs == listed[i].verbs);
  }
  const ApiGroups all = parse_groups(discovery_fixture("apis-aggregated.json")).value();
  CHECK(all.is_aggregated);
  const std::vector<ApiResource>& groups = all.resources;
  const auto widgets = std::find_if(groups.begin(), groups.end(), [](const ApiResource& type) {
    return type.type.gvr.resource == "widgets";
  });
  REQUIRE(widgets != groups.end());
  CHECK(widgets->type.gvr.group == "example.test");
}

TEST_CASE("a group list names the preferred version of each group first") {
  const ApiGroups groups = parse_groups(discovery_fixture("apis.json")).value();
  CHECK_FALSE(groups.is_aggregated);
  const std::vector<GroupVersion>& versions = groups.versions;
  const auto scaling = std::find_if(versions.begin(), versions.end(), [](const GroupVersion& gv) {
    return gv.group == "autoscaling";
  });
  REQUIRE(scaling != versions.end());
  CHECK(scaling->version == "v2");
  CHECK((scaling + 1)->group == "autoscaling");
  CHECK((scaling + 1)->version == "v1");
}

TEST_CASE("other documents are a protocol error, and members of the wrong type are skipped") {
  for (const char* bad : {"", "{", "[]", "null", "{\"kind\":\"Status\"}", "{\"kind\":7}"}) {
    CAPTURE(bad);
    const auto types = parse_resource_list(bad, "", "v1");
    REQUIRE_FALSE(types);
    CHECK(types.error().kind == ErrorKind::protocol);
    CHECK_FALSE(parse_groups(bad));
  }
  CHECK(parse_resource_list(R"({"kind":"APIResourceList","resources":[1,{"name":2},{"name":"x",)"
                            R"("verbs":"all","kind":null,"shortNames":[1,"s"]}]})",
                            "", "v1")
            .value()
            .at(0)
            .short_names == std::vector<std::string>{"s"});
  CHECK(parse_groups(R"({"kind":"APIGroupDiscoveryList","items":[{"versions":[{"resources":)"
                     R"([{"resource":"x","responseKind":[]}]}]},3]})")
            .value()
            .resources.size() == 1);
}

TEST_CASE("the names of a group and a version may follow their types") {
  const ApiGroups groups =
      parse_groups(R"({"items":[{"versions":[{"resources":[{"resource":"a"}],"version":"v1"},)"
                   R"({"resources":[{"resource":"b"}],"version":"v2"}],"metadata":{"name":"g"}},)"
                   R"({"versions":[{"resources":[{"resource":"c"}]}]}],)"
                   R"("kind":"APIGroupDiscoveryList"})")
          .value();
  REQUIRE(groups.resources.size() == 3);
  CHECK(groups.resources[0].type.gvr == GroupVersionResource{"g", "v1", "a"});
  CHECK(groups.resources[1].type.gvr == GroupVersionResource{"g", "v2", "b"});
  CHECK(groups.resources[2].type.gvr == GroupVersionResource{"", "", "c"});
}

TEST_CASE("A3: a deeply nested document is refused where it becomes too deep") {
  const std::string deep(1'000'000, '[');
  for (const std::string& bad : {deep, "{\"kind\":" + deep, "{\"items\":[{\"a\":" + deep}) {
    const auto groups = parse_groups(bad);
    REQUIRE_FALSE(groups);
    CHECK(groups.error().message == "API discovery: the response is nested too deeply");
  }
}

TEST_CASE("A3: a document with too many types or names is refused or cut") {
  std::string many = R"({"kind":"APIGroupDiscoveryList","items":[{"versions":[{"resources":[)";
  for (int i = 0; i < 200'001; ++i) many += R"({"resource":"x"},)";
  const auto groups = parse_groups(many);
  REQUIRE_FALSE(groups);
  CHECK(groups.error().message == "API discovery: the response contains more than 200,000 types");

  std::string listed = R"({"kind":"APIGroupList","groups":[{"versions":[)";
  for (int i = 0; i < 200'001; ++i) listed += R"({"version":"x"},)";
  CHECK_FALSE(parse_groups(listed));

  std::string verbs = R"({"kind":"APIResourceList","resources":[{"name":"x","verbs":["a")";
  for (int i = 0; i < 1000; ++i) verbs += R"(,"a")";
  CHECK(parse_resource_list(verbs + "]}]}", "", "v1").value().at(0).verbs.size() == 100);
}

}  // namespace
}  // namespace kinf
