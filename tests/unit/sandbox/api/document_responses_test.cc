// SPDX-License-Identifier: Apache-2.0
// Discovery, OpenAPI, version, health and reviews.
#include "kinf/sandbox/api/document_responses.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "unit/sandbox/api/api_world.h"

namespace kinf::sandbox {
namespace {

constexpr const char* kAggregated =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

Json resource_named(const Json& list, const std::string& name) {
  const auto found = std::ranges::find_if(
      list["resources"], [&](const Json& each) { return text(field(each, "name")) == name; });
  return found == list["resources"].end() ? Json() : *found;
}

TEST_CASE("health and version are there for every client") {
  ApiWorld w;
  for (const char* path : {"/healthz", "/readyz", "/livez"})
    CHECK(w.send("GET", path).body == "ok");
  CHECK(w.get("/version")["gitVersion"] == "v1.36.3+kinf-sandbox");
  CHECK(w.outcome("POST", "/version") == "404");
}

TEST_CASE("discovery lists versions, groups and the resources of each group version") {
  ApiWorld w;
  CHECK(w.get("/api")["versions"] == Json::array({"v1"}));
  const Json groups = w.get("/apis")["groups"];
  CHECK(std::ranges::any_of(groups, [](const Json& group) { return group["name"] == "apps"; }));
  CHECK(w.get("/apis/apps")["preferredVersion"]["groupVersion"] == "apps/v1");

  const Json core = w.get("/api/v1");
  CHECK(core["groupVersion"] == "v1");
  const Json pods = resource_named(core, "pods");
  CHECK(pods["singularName"] == "pod");
  CHECK(pods["namespaced"] == true);
  CHECK(pods["shortNames"] == Json::array({"po"}));
  CHECK(pods["categories"] == Json::array({"all"}));
  CHECK(pods["verbs"].size() == 8);
  CHECK(resource_named(core, "pods/binding")["kind"] == "Binding");
  CHECK(resource_named(core, "pods/status")["kind"] == "Pod");
  CHECK(resource_named(core, "namespaces")["verbs"].size() == 7);
  const Json scale = resource_named(w.get("/apis/apps/v1"), "deployments/scale");
  CHECK(scale["group"] == "autoscaling");
  CHECK(scale["kind"] == "Scale");

  for (const char* path : {"/apis/absent", "/apis/absent/v1", "/apis/apps/v9", "/api/v9"}) {
    CHECK(w.send("GET", path).code == 404);
  }
}

TEST_CASE("aggregated discovery says the same in one document, with an ETag") {
  ApiWorld w;
  const HttpResponse response = w.send("GET", "/apis", "", kAggregated);
  CHECK(response.content_type == kAggregated);
  const Json document = *parse_json(response.body);
  CHECK(document["kind"] == "APIGroupDiscoveryList");
  const auto apps = std::ranges::find_if(document["items"], [](const Json& item) {
    return text(field(item, "metadata", "name")) == "apps";
  });
  REQUIRE(apps != document["items"].end());
  const Json& resources = (*apps)["versions"][0]["resources"];
  const auto deployments = std::ranges::find_if(
      resources, [](const Json& each) { return each["resource"] == "deployments"; });
  REQUIRE(deployments != resources.end());
  CHECK((*deployments)["scope"] == "Namespaced");
  CHECK((*deployments)["responseKind"]["kind"] == "Deployment");
  CHECK((*deployments)["subresources"][0]["subresource"] == "scale");
  CHECK((*deployments)["subresources"][1]["responseKind"]["kind"] == "Deployment");

  HttpRequest again = ApiWorld::request("GET", "/apis");
  again.accept = kAggregated;
  again.if_none_match = response.headers[0].second;
  CHECK(w.router.handle(again).code == 304);
  REQUIRE(w.objects.load(widget_definition()).has_value());
  CHECK_MESSAGE(w.router.handle(again).code == 200, "the document has changed");
  CHECK(parse_json(w.send("GET", "/api", "", kAggregated).body)->at("items").size() == 1);
}

TEST_CASE("custom types appear in discovery and in OpenAPI while they are defined") {
  ApiWorld w;
  CHECK(w.send("GET", "/apis/example.com/v1").code == 404);
  REQUIRE(w.objects.load(widget_definition()).has_value());
  CHECK(resource_named(w.get("/apis/example.com/v1"), "widgets")["kind"] == "Widget");
  CHECK(w.get("/openapi/v3")["paths"].contains("apis/example.com/v1"));
  const Json schemas = w.get("/openapi/v3/apis/example.com/v1")["components"]["schemas"];
  CHECK(schemas["example.com.Widget"]["description"] == "a widget");
}

TEST_CASE("OpenAPI names the writes that take fieldValidation, and describes the objects") {
  ApiWorld w;
  CHECK(w.get("/openapi/v3")["paths"]["api/v1"]["serverRelativeURL"] == "/openapi/v3/api/v1");
  const Json document = w.get("/openapi/v3/apis/apps/v1");
  const Json& paths = document["paths"];
  const std::string deployments = "/apis/apps/v1/namespaces/{namespace}/deployments";
  REQUIRE(paths.contains(deployments));
  const Json& post = paths[deployments]["post"];
  CHECK(post["x-kubernetes-group-version-kind"]["kind"] == "Deployment");
  CHECK(post["parameters"][2]["name"] == "fieldValidation");
  CHECK(paths[deployments + "/{name}"].contains("patch"));
  const Json& schemas = document["components"]["schemas"];
  CHECK(schemas["DeploymentSpec"]["properties"]["replicas"]["type"] == "integer");
  CHECK(schemas["Deployment"]["properties"]["metadata"]["$ref"] ==
        "#/components/schemas/ObjectMeta");
  CHECK(schemas["PodSpec"]["properties"]["containers"]["type"] == "array");
  CHECK(w.get("/openapi/v3/api/v1")["paths"].contains("/api/v1/nodes"));
}

TEST_CASE("reviews of rights allow everything and name the user") {
  ApiWorld w;
  const auto review = [&](const char* path, const char* body) {
    const HttpResponse response = w.send("POST", std::string("/apis/") + path, body);
    CHECK(response.code == 201);
    return *parse_json(response.body);
  };
  const Json access = review("authorization.k8s.io/v1/selfsubjectaccessreviews",
                             R"({"spec":{"resourceAttributes":{"verb":"get"}}})");
  CHECK(access["kind"] == "SelfSubjectAccessReview");
  CHECK(access["apiVersion"] == "authorization.k8s.io/v1");
  CHECK(access["spec"]["resourceAttributes"]["verb"] == "get");
  CHECK(access["status"]["allowed"] == true);
  CHECK(review("authorization.k8s.io/v1/selfsubjectrulesreviews",
               "not JSON")["status"]["resourceRules"][0]["verbs"][0] == "*");
  CHECK(review("authentication.k8s.io/v1/selfsubjectreviews",
               "{}")["status"]["userInfo"]["username"] == "sandbox");
  CHECK(w.send("GET", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews").code == 404);
}

TEST_CASE("reviews for read-only objects allow only to read") {
  ApiWorld w;
  ApiType type = w.type("v1", "Pod");
  type.read_only = true;
  w.types.serve_only({type});
  const auto allows = [&](const std::string& verb) {
    const HttpResponse response =
        w.send("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
               R"({"spec":{"resourceAttributes":{"verb":")" + verb + R"("}}})");
    return (*parse_json(response.body))["status"]["allowed"] == true;
  };
  CHECK(allows("list"));
  CHECK_FALSE(allows("delete"));
  const HttpResponse rules =
      w.send("POST", "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", "{}");
  CHECK((*parse_json(rules.body))["status"]["resourceRules"][0]["verbs"] ==
        Json({"get", "list", "watch"}));
}

TEST_CASE("read-only objects refuse writes, and discovery names only the verbs that work") {
  ApiWorld w;
  w.add("v1", "Pod", "web", {{"metadata", {{"namespace", "default"}}}});
  ApiType type = w.type("v1", "Pod");
  type.read_only = true;
  w.types.serve_only({type});
  const HttpResponse response = w.send("DELETE", "/api/v1/namespaces/default/pods/web");
  CHECK(response.code == 403);
  CHECK((*parse_json(response.body))["message"] ==
        "pods \"web\" is forbidden: this server shows a recording, which is read-only");
  CHECK(w.outcome("POST", "/api/v1/namespaces/default/pods", "{}") == "403 Forbidden");
  const Json pods = w.get("/api/v1")["resources"];
  REQUIRE(pods.size() == 1);
  CHECK(pods[0]["verbs"] == Json({"get", "list", "watch"}));
}

}  // namespace
}  // namespace kinf::sandbox
