// SPDX-License-Identifier: Apache-2.0
// Requests and what the API answers, without sockets.
#include "kinf/sandbox/api/router.h"

#include <doctest/doctest.h>

#include "unit/sandbox/api/api_world.h"

namespace kinf::sandbox {
namespace {

constexpr const char* kMaps = "/api/v1/namespaces/default/configmaps";
constexpr const char* kMap = "/api/v1/namespaces/default/configmaps/a";

TEST_CASE("each verb on each kind of path has the code of the real server") {
  ApiWorld w;
  w.add("v1", "ConfigMap", "a");
  w.add("v1", "Pod", "p");
  struct Case {
    const char* method;
    const char* target;
    const char* body;
    const char* outcome;
  };
  for (const Case& each : std::vector<Case>{
           {"GET", kMaps, "", "200"},
           {"GET", kMap, "", "200"},
           {"GET", "/api/v1/configmaps", "", "200"},
           {"GET", "/api/v1/namespaces/default/configmaps/absent", "", "404 NotFound"},
           {"GET", "/api/v1/namespaces/default/gadgets", "", "404 NotFound"},
           {"GET", "/apis/absent/v1/gadgets", "", "404"},
           {"POST", kMaps, R"({"metadata":{"name":"b"}})", "201"},
           {"POST", kMaps, R"({"metadata":{"name":"b"}})", "409 AlreadyExists"},
           {"POST", kMaps, "[]", "400 BadRequest"},
           {"POST", kMaps, "{", "400 BadRequest"},
           {"POST", kMap, R"({"metadata":{"name":"a"}})", "405 MethodNotAllowed"},
           {"POST", "/api/v1/configmaps", R"({"metadata":{"name":"c"}})", "405 MethodNotAllowed"},
           {"PUT", kMap, R"({"metadata":{"name":"a"},"data":{"k":"v"}})", "200"},
           {"PUT", kMap, R"({"metadata":{"name":"z"}})", "400 BadRequest"},
           {"PUT", kMaps, R"({"metadata":{"name":"a"}})", "405 MethodNotAllowed"},
           {"PATCH", kMap, R"({"data":{"k":"w"}})", "200"},
           {"PATCH", kMap, "[]", "400 BadRequest"},
           {"PATCH", kMaps, "{}", "405 MethodNotAllowed"},
           {"DELETE", kMap, "", "200"},
           {"DELETE", kMap, "", "404 NotFound"},
           {"DELETE", kMaps, "", "200"},
           {"DELETE", "/api/v1/namespaces", "", "405 MethodNotAllowed"},
           {"GET", "/api/v1/namespaces/default/configmaps/a/status", "", "404 NotFound"},
           {"GET", "/api/v1/namespaces/default/pods/p/status", "", "200"},
           {"DELETE", "/api/v1/namespaces/default/pods/p/status", "", "405 MethodNotAllowed"},
           {"GET", "/api/v1/pods?fieldSelector=spec.image=x", "", "400 BadRequest"},
           {"GET", "/api/v1/pods?resourceVersionMatch=Exact", "", "422 Invalid"},
           {"GET", "/api/v1/pods?watch=1&resourceVersionMatch=Exact", "", "422 Invalid"},
           {"GET", "/api/v1/pods?resourceVersion=999999", "", "504 Timeout"},
           {"POST", "/api/v1/namespaces/default/pods?dryRun=Some", "{}", "422 Invalid"},
       }) {
    CHECK_MESSAGE(w.outcome(each.method, each.target, each.body) == each.outcome,
                  each.method << " " << each.target);
  }
}

TEST_CASE("a JSON patch whose result is no object is refused") {
  ApiWorld w;
  w.add("v1", "ConfigMap", "a");
  for (const char* body :
       {R"([{"op":"replace","path":"","value":[]}])", R"([{"op":"replace","path":"","value":"x"}])",
        R"([{"op":"add","path":"","value":null}])",
        R"([{"op":"copy","from":"/metadata/name","path":""}])"}) {
    HttpRequest request = ApiWorld::request("PATCH", kMap, body);
    request.content_type = "application/json-patch+json";
    CHECK_MESSAGE(w.router.handle(request).code == 422, body);
  }
  // What replaces the metadata is corrected, as by kube-apiserver.
  for (const char* value : {"[]", "\"x\"", "null", "7"}) {
    HttpRequest request = ApiWorld::request(
        "PATCH", kMap,
        R"([{"op":"replace","path":"/metadata","value":)" + std::string(value) + "}]");
    request.content_type = "application/json-patch+json";
    CHECK_MESSAGE(w.router.handle(request).code == 200, value);
  }
}

namespace {

struct FullDisk final : ChangeLog {
  bool append(std::string_view, const StoredChange&) override { return false; }
  bool is_long() const override { return false; }
  void rewrite(std::uint64_t, const std::vector<LoggedObject>&) override {}
  void report_problem() override {}
};

}  // namespace

TEST_CASE("writes that cannot be saved are answered with 507, and change nothing") {
  ApiWorld w;
  w.add("v1", "ConfigMap", "a");
  w.add("v1", "Pod", "p", {{"spec", {{"nodeName", "n"}}}});
  FullDisk disk;
  std::vector<LoggedObject> all;
  for (const char* type : {"namespaces", "configmaps", "pods"}) {
    for (const StoredPtr& each : w.store.list(type).objects) all.push_back({type, each});
  }
  w.store.restore(w.store.version(), all, &disk);
  const std::string full = "507 InsufficientStorage";
  CHECK(w.outcome("POST", kMaps, R"({"metadata":{"name":"b"}})") == full);
  CHECK(w.outcome("PUT", kMap, R"({"metadata":{"name":"a"},"data":{"k":"v"}})") == full);
  CHECK(w.outcome("PATCH", kMap, R"({"data":{"k":"v"}})") == full);
  CHECK(w.outcome("DELETE", kMap, "") == full);
  CHECK(w.outcome("DELETE", kMaps, "") == full);
  CHECK(w.outcome("DELETE", "/api/v1/namespaces/default/pods/p", "") == full);
  CHECK(w.outcome("DELETE", "/api/v1/namespaces/default", "") == full);
  CHECK(w.outcome("GET", kMap, "") == "200");
  CHECK(w.outcome("GET", "/api/v1/namespaces/default/configmaps/b", "") == "404 NotFound");
}

TEST_CASE("a path that leads nowhere is plain text, as Go's mux writes it") {
  ApiWorld w;
  const HttpResponse response = w.send("GET", "/nowhere");
  CHECK(response.code == 404);
  CHECK(response.content_type == "text/plain; charset=utf-8");
  CHECK(response.body == "404 page not found\n");
}

TEST_CASE("a request needs the token, if there is one") {
  Router::Options options;
  options.token = "secret";
  ApiWorld w(std::move(options));
  HttpRequest request = ApiWorld::request("GET", "/version");
  CHECK(w.router.handle(request).code == 401);
  request.authorization = "Bearer wrong";
  CHECK(w.router.handle(request).code == 401);
  request.authorization = "Bearer secret";
  CHECK(w.router.handle(request).code == 200);
}

TEST_CASE("every request is reported before it is answered, refused ones too") {
  std::vector<std::string> seen;
  Router::Options options;
  options.token = "secret";
  options.on_request = [&](const HttpRequest& request) { seen.push_back(request.path); };
  ApiWorld w(std::move(options));
  w.send("GET", "/version");
  w.send("GET", "/nowhere");
  CHECK(seen == std::vector<std::string>{"/version", "/nowhere"});
}

TEST_CASE("a deletion returns a Status; pods and objects that still exist are returned whole") {
  ApiWorld w;
  w.add("apps/v1", "Deployment", "d");
  w.add("v1", "Pod", "p");
  w.add("v1", "ConfigMap", "held", {{"metadata", {{"finalizers", {"x.test/1"}}}}});
  const auto removed = [&](const std::string& path) {
    return *parse_json(w.send("DELETE", path).body);
  };
  const Json status = removed("/apis/apps/v1/namespaces/default/deployments/d");
  CHECK(status["kind"] == "Status");
  CHECK(status["status"] == "Success");
  CHECK(status["details"]["kind"] == "deployments");
  CHECK(status["details"]["group"] == "apps");
  CHECK_FALSE(status["details"]["uid"].is_null());
  CHECK(removed("/api/v1/namespaces/default/pods/p")["kind"] == "Pod");
  const Json held = removed("/api/v1/namespaces/default/configmaps/held");
  CHECK(held["kind"] == "ConfigMap");
  CHECK(held["metadata"].contains("deletionTimestamp"));
}

TEST_CASE("options of a deletion come in the query or in the body") {
  ApiWorld w;
  const auto add_pod = [&] { w.add("v1", "Pod", "p", {{"spec", {{"nodeName", "n1"}}}}); };
  const std::string pod = "/api/v1/namespaces/default/pods/p";
  add_pod();
  w.send("DELETE", pod + "?gracePeriodSeconds=7");
  CHECK(w.get(pod)["metadata"]["deletionGracePeriodSeconds"] == 7);
  w.send("DELETE", pod, R"({"gracePeriodSeconds":3})");
  CHECK(w.get(pod)["metadata"]["deletionGracePeriodSeconds"] == 3);
  CHECK(w.send("DELETE", pod, R"({"gracePeriodSeconds":0,"dryRun":["All"]})").code == 200);
  CHECK(w.get(pod)["metadata"]["deletionGracePeriodSeconds"] == 3);
  CHECK(w.outcome("DELETE", pod, R"({"preconditions":{"uid":"x"}})") == "409 Conflict");
  for (const char* bad : {"-1", "x", "99999999999", "1.5"}) {
    CHECK(w.outcome("DELETE", pod + "?gracePeriodSeconds=" + bad) == "400 BadRequest");
  }
  CHECK(w.outcome("DELETE", pod, "nonsense") == "400 BadRequest");
  CHECK(w.outcome("DELETE", pod + "?gracePeriodSeconds=0") == "200");
}

TEST_CASE("deletecollection deletes the objects that match the selectors") {
  ApiWorld w;
  for (const char* name : {"a", "b", "c"}) {
    w.add("v1", "ConfigMap", name,
          {{"metadata", {{"labels", {{"keep", *name == 'b' ? "yes" : "no"}}}}}});
  }
  const HttpResponse response = w.send("DELETE", std::string(kMaps) + "?labelSelector=keep=no");
  CHECK(ApiWorld::names_in(*parse_json(response.body)) == std::vector<std::string>{"a", "c"});
  CHECK(ApiWorld::names_in(w.get(kMaps)) == std::vector<std::string>{"b"});
}

TEST_CASE("an Accept header that cannot be served is refused before anything is written") {
  ApiWorld w;
  const HttpResponse response =
      w.send("POST", kMaps, R"({"metadata":{"name":"a"}})", "application/yaml");
  CHECK(response.code == 406);
  CHECK(ApiWorld::names_in(w.get(kMaps)).empty());
}

TEST_CASE("faults affect reads, and a denied resource also writes") {
  ApiWorld w;
  const auto add = [&](const char* fault) { w.faults.add(*parse_fault(fault)); };
  add("error:503:1:retry-after=4");
  CHECK(w.outcome("POST", kMaps, R"({"metadata":{"name":"a"}})") == "201");
  const HttpResponse busy = w.send("GET", kMaps);
  CHECK(busy.code == 503);
  CHECK(busy.headers[0] == std::pair<std::string, std::string>("Retry-After", "4"));
  CHECK(w.outcome("GET", kMaps) == "200");

  add("too-many:429:text");
  const HttpResponse text_only = w.send("GET", kMap);
  CHECK(text_only.code == 429);
  CHECK(text_only.body == "Too many requests, please try again later.\n");
  CHECK(text_only.headers[0].second == "1");
  add("too-many");
  CHECK(w.outcome("GET", kMap) == "429 TooManyRequests");

  add("garbage");
  CHECK_FALSE(parse_json(w.send("GET", kMaps).body));
  add("deny:configmaps");
  CHECK(w.outcome("GET", kMap) == "403 Forbidden");
  CHECK(w.outcome("DELETE", kMap) == "403 Forbidden");
  add("none");
  CHECK(w.outcome("DELETE", kMap) == "200");
}

TEST_CASE("an expired continue token is refused once, and names a token for the rest") {
  ApiWorld w;
  for (const char* name : {"a", "b"}) w.add("v1", "ConfigMap", name);
  const std::string token =
      text(field(w.get(std::string(kMaps) + "?limit=1"), "metadata", "continue"));
  w.faults.add(*parse_fault("expire-continue"));
  const std::string next = std::string(kMaps) + "?limit=1&continue=" + token;
  const HttpResponse refused = w.send("GET", next);
  CHECK(refused.code == 410);
  CHECK_FALSE(text(field(*parse_json(refused.body), "metadata", "continue")).empty());
  CHECK(ApiWorld::names_in(w.get(next)) == std::vector<std::string>{"b"});
}

TEST_CASE("streaming lists may be compressed, other watches may not") {
  ApiWorld w;
  const auto compresses = [&](const std::string& query) {
    return w.send("GET", std::string(kMaps) + "?watch=true&" + query).compress_stream;
  };
  CHECK(
      compresses("sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                 "&allowWatchBookmarks=true"));
  // The API server adds the initial events to these.
  CHECK(compresses("allowWatchBookmarks=true"));
  CHECK(compresses("allowWatchBookmarks=true&resourceVersion=0"));
  CHECK_FALSE(compresses("allowWatchBookmarks=true&resourceVersion=1"));
  CHECK_FALSE(compresses("resourceVersion=0"));
  CHECK_FALSE(
      compresses("allowWatchBookmarks=true&sendInitialEvents=false"
                 "&resourceVersionMatch=NotOlderThan"));
}

}  // namespace
}  // namespace kinf::sandbox
