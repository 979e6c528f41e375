// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/discovery_document.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "fakes/fixture.h"

namespace kinf {
namespace {

std::string fixture(const std::string& name) { return test::fixture("discovery/" + name); }

TEST_CASE("a resource list gives types without their subresources") {
  const auto types = parse_resource_list(fixture("apis-apps-v1.json"), "apps", "v1").value();
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
  const auto aggregated = parse_aggregated(fixture("api-aggregated.json")).value();
  const auto listed = parse_resource_list(fixture("api-v1.json"), "", "v1").value();
  REQUIRE(aggregated.size() == listed.size());
  for (std::size_t i = 0; i < listed.size(); ++i) {
    CHECK(aggregated[i].type == listed[i].type);
    CHECK(aggregated[i].short_names == listed[i].short_names);
    CHECK(aggregated[i].verbs == listed[i].verbs);
  }
  const auto groups = parse_aggregated(fixture("apis-aggregated.json")).value();
  const auto widgets = std::find_if(groups.begin(), groups.end(), [](const ApiResource& type) {
    return type.type.gvr.resource == "widgets";
  });
  REQUIRE(widgets != groups.end());
  CHECK(widgets->type.gvr.group == "example.test");
}

TEST_CASE("a group list names the preferred version of each group first") {
  const auto versions = parse_group_list(fixture("apis.json")).value();
  const auto scaling = std::find_if(versions.begin(), versions.end(), [](const GroupVersion& gv) {
    return gv.group == "autoscaling";
  });
  REQUIRE(scaling != versions.end());
  CHECK(scaling->version == "v2");
  CHECK((scaling + 1)->group == "autoscaling");
  CHECK((scaling + 1)->version == "v1");
  CHECK(kind_of_document(fixture("apis.json")) == "APIGroupList");
  CHECK(kind_of_document(fixture("apis-aggregated.json")) == "APIGroupDiscoveryList");
}

TEST_CASE("other documents are a protocol error, and members of the wrong type are skipped") {
  for (const char* bad : {"", "{", "[]", "null", "{\"kind\":\"Status\"}", "{\"kind\":7}"}) {
    CAPTURE(bad);
    const auto types = parse_resource_list(bad, "", "v1");
    REQUIRE_FALSE(types);
    CHECK(types.error().kind == ErrorKind::protocol);
    CHECK_FALSE(parse_aggregated(bad));
    CHECK_FALSE(parse_group_list(bad));
  }
  CHECK(parse_resource_list(R"({"kind":"APIResourceList","resources":[1,{"name":2},{"name":"x",)"
                            R"("verbs":"all","kind":null,"shortNames":[1,"s"]}]})",
                            "", "v1")
            .value()
            .at(0)
            .short_names == std::vector<std::string>{"s"});
  CHECK(parse_aggregated(R"({"kind":"APIGroupDiscoveryList","items":[{"versions":[{"resources":)"
                         R"([{"resource":"x","responseKind":[]}]}]},3]})")
            .value()
            .size() == 1);
}

TEST_CASE("a deeply nested document does not crash") {
  const std::string deep(1'000'000, '[');
  CHECK_FALSE(parse_group_list(deep));
  CHECK_FALSE(parse_group_list("{\"kind\":" + deep));
}

}  // namespace
}  // namespace kinf
