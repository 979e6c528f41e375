// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/templates.h"

#include <doctest/doctest.h>

using namespace kinf::sandbox;

namespace {

Json web_set() {
  return {{"metadata", {{"name", "web"}, {"namespace", "default"}}},
          {"spec",
           {{"serviceName", "nginx"},
            {"selector", {{"matchLabels", {{"app", "web"}}}}},
            {"volumeClaimTemplates", Json::array({{{"metadata", {{"name", "data"}}}}})}}}};
}
Json pod_named(const std::string& name) { return {{"metadata", {{"name", name}}}}; }

}  // namespace

TEST_CASE("the number of a pod is the end of its name") {
  CHECK(ordinal_of(web_set(), pod_named("web-0")) == 0);
  CHECK(ordinal_of(web_set(), pod_named("web-12")) == 12);
  for (const char* name : {"web-", "web-x", "web-01", "web--1", "other-1", "web-1-2", "web"}) {
    CHECK_MESSAGE(!ordinal_of(web_set(), pod_named(name)), name);
  }
}

TEST_CASE("a pod of a StatefulSet has a name, a host name and the volumes of its claims") {
  const Json volumes = Json::array({{{"name", "data"}, {"emptyDir", Json::object()}},
                                    {{"name", "tmp"}, {"emptyDir", Json::object()}}});
  const Json pod = stateful_pod(web_set(), {{"spec", {{"volumes", volumes}}}}, "web-abc", 2);
  CHECK(pod["metadata"]["name"] == "web-2");
  CHECK_FALSE(pod["metadata"].contains("generateName"));
  CHECK(pod["metadata"]["labels"]["controller-revision-hash"] == "web-abc");
  CHECK(pod["metadata"]["labels"]["apps.kubernetes.io/pod-index"] == "2");
  CHECK(pod["spec"]["hostname"] == "web-2");
  CHECK(pod["spec"]["subdomain"] == "nginx");
  REQUIRE(pod["spec"]["volumes"].size() == 2);
  CHECK(pod["spec"]["volumes"][0]["persistentVolumeClaim"]["claimName"] == "data-web-2");
  CHECK(pod["spec"]["volumes"][1]["name"] == "tmp");
}

TEST_CASE("a claim is named after its pod and has the labels of the selector") {
  const auto claims = stateful_claims(web_set(), 2);
  REQUIRE(claims.size() == 1);
  CHECK(claims[0]["metadata"]["name"] == "data-web-2");
  CHECK(claims[0]["metadata"]["labels"]["app"] == "web");
}
