// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/subresources.h"

#include <doctest/doctest.h>

#include "unit/sandbox/api/api_world.h"

namespace kinf::sandbox {
namespace {

constexpr const char* kScale = "/apis/apps/v1/namespaces/default/deployments/d/scale";
constexpr const char* kPod = "/api/v1/namespaces/default/pods/p";

struct SubresourceWorld : ApiWorld {
  SubresourceWorld() {
    add("apps/v1", "Deployment", "d",
        {{"spec",
          {{"replicas", 2},
           {"selector",
            {{"matchLabels", {{"app", "web"}}},
             {"matchExpressions",
              Json::array({{{"key", "tier"}, {"operator", "In"}, {"values", {"b", "a"}}}})}}}}},
         {"status", {{"replicas", 1}}}});
    add("v1", "Pod", "p");
  }
};

TEST_CASE("a scale shows the replicas that are wanted and present, and the selector") {
  SubresourceWorld w;
  const Json scale = w.get(kScale);
  CHECK(scale["kind"] == "Scale");
  CHECK(scale["apiVersion"] == "autoscaling/v1");
  CHECK(scale["metadata"]["name"] == "d");
  CHECK(scale["spec"]["replicas"] == 2);
  CHECK(scale["status"]["replicas"] == 1);
  CHECK(scale["status"]["selector"] == "app=web,tier in (a,b)");
  w.add("v1", "ReplicationController", "rc", {{"spec", {{"selector", {{"app", "old"}}}}}});
  CHECK(w.get("/api/v1/namespaces/default/replicationcontrollers/rc/scale")["status"]["selector"] ==
        "app=old");
}

TEST_CASE("a scale can be replaced and patched, and changes the object") {
  SubresourceWorld w;
  const auto replicas = [&] {
    return w.get("/apis/apps/v1/namespaces/default/deployments/d")["spec"]["replicas"];
  };
  CHECK(w.outcome("PUT", kScale, R"({"spec":{"replicas":5}})") == "200");
  CHECK(replicas() == 5);
  CHECK(w.outcome("PATCH", kScale, R"({"spec":{"replicas":7}})") == "200");
  CHECK(replicas() == 7);
  CHECK(w.outcome("PUT", std::string(kScale) + "?dryRun=All", R"({"spec":{"replicas":1}})") ==
        "200");
  CHECK(replicas() == 7);
  struct Case {
    const char* method;
    const char* body;
    const char* outcome;
  };
  for (const Case& each : std::vector<Case>{
           {"PUT", R"({"spec":{"replicas":-1}})", "422 Invalid"},
           {"PUT", R"({"spec":{"replicas":"many"}})", "422 Invalid"},
           {"PUT", R"({})", "422 Invalid"},
           {"PUT", "nonsense", "400 BadRequest"},
           {"PUT", R"({"metadata":{"resourceVersion":"1"},"spec":{"replicas":1}})", "409 Conflict"},
           {"PATCH", "[]", "400 BadRequest"},
           {"DELETE", "", "405 MethodNotAllowed"},
       }) {
    CHECK_MESSAGE(w.outcome(each.method, kScale, each.body) == each.outcome, each.body);
  }
  CHECK(w.outcome("GET", "/apis/apps/v1/namespaces/default/deployments/x/scale") == "404 NotFound");
}

TEST_CASE("a scale records who wants the replicas") {
  SubresourceWorld w;
  const std::string deployment = "/apis/apps/v1/namespaces/default/deployments/d";
  const auto entries = [&] { return w.get(deployment)["metadata"]["managedFields"]; };
  CHECK(w.outcome("PATCH", std::string(kScale) + "?fieldManager=kubectl",
                  R"({"spec":{"replicas":7}})") == "200");
  REQUIRE(entries().size() == 1);
  CHECK(entries()[0]["manager"] == "kubectl");
  CHECK(entries()[0]["operation"] == "Update");
  CHECK(entries()[0]["subresource"] == "scale");
  CHECK(entries()[0]["apiVersion"] == "apps/v1");
  CHECK(to_text(entries()[0]["fieldsV1"]) == R"({"f:spec":{"f:replicas":{}}})");
  CHECK(w.outcome("PUT", std::string(kScale) + "?fieldManager=hpa", R"({"spec":{"replicas":8}})") ==
        "200");
  REQUIRE(entries().size() == 1);  // kubectl owns nothing now
  CHECK(entries()[0]["manager"] == "hpa");
}

TEST_CASE("the scale of a custom type is where its definition says") {
  SubresourceWorld w;
  REQUIRE(w.objects.load(widget_definition()).has_value());
  w.add("example.com/v1", "Widget", "w", {{"status", {{"count", 4}, {"selector", "app=w"}}}});
  const std::string scale = "/apis/example.com/v1/namespaces/default/widgets/w/scale";
  CHECK(w.get(scale)["spec"]["replicas"] == 0);
  CHECK(w.get(scale)["status"]["replicas"] == 4);
  CHECK(w.get(scale)["status"]["selector"] == "app=w");
  CHECK(w.outcome("PUT", scale, R"({"spec":{"replicas":3}})") == "200");
  CHECK(w.get("/apis/example.com/v1/namespaces/default/widgets/w")["spec"]["count"] == 3);
}

TEST_CASE("a binding puts a pod on a node, once") {
  SubresourceWorld w;
  const std::string binding = std::string(kPod) + "/binding";
  CHECK(w.outcome("POST", binding, R"({})") == "422 Invalid");
  CHECK(w.outcome("POST", binding, R"({"target":{"name":"n1"}})") == "201");
  CHECK(w.get(kPod)["spec"]["nodeName"] == "n1");
  const HttpResponse again = w.send("POST", binding, R"({"target":{"name":"n2"}})");
  CHECK(again.code == 409);
  CHECK(again.body.find("already assigned to node \\\"n1\\\"") != std::string::npos);
}

TEST_CASE("an eviction deletes a pod with the grace period that it names") {
  SubresourceWorld w;
  w.add("v1", "Pod", "on-node", {{"spec", {{"nodeName", "n1"}}}});
  const std::string pod = "/api/v1/namespaces/default/pods/on-node";
  CHECK(w.outcome("POST", pod + "/eviction", R"({"deleteOptions":{"gracePeriodSeconds":9}})") ==
        "201");
  CHECK(w.get(pod)["metadata"]["deletionGracePeriodSeconds"] == 9);
  CHECK(w.outcome("POST", std::string(kPod) + "/eviction", "{}") == "201");
  CHECK(w.outcome("GET", kPod) == "404 NotFound");
  CHECK(w.outcome("POST", std::string(kPod) + "/eviction", "{}") == "404 NotFound");
}

TEST_CASE("what only a container could answer is refused with the reason") {
  SubresourceWorld w;
  for (const char* sub : {"log", "exec", "attach", "portforward"}) {
    const HttpResponse response = w.send("GET", std::string(kPod) + "/" + sub);
    CHECK(response.code == 400);
    CHECK(response.body.find("the sandbox runs no containers: " + std::string(sub)) !=
          std::string::npos);
  }
  CHECK(w.outcome("GET", "/api/v1/namespaces/default/pods/absent/log") == "404 NotFound");
  CHECK(w.outcome("GET", std::string(kPod) + "/proxy") == "404 NotFound");
  CHECK(w.outcome("GET", std::string(kPod) + "/scale") == "404 NotFound");
  CHECK(w.outcome("GET", "/apis/apps/v1/namespaces/default/deployments/d/log") == "404 NotFound");
}

}  // namespace
}  // namespace kinf::sandbox
