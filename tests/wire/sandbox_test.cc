// SPDX-License-Identifier: Apache-2.0
// The sandbox over a loopback socket: lists, pages, watches and writes as a client sees them.
#include "kinf/sandbox/sandbox.h"

#include <doctest/doctest.h>
#include <httplib.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

namespace {

using Json = nlohmann::json;

const char* kPods = "/api/v1/namespaces/default/pods";

struct Served {
  explicit Served(kinf::SandboxOptions options = {}) : sandbox(std::move(options), clock) {
    const auto url = sandbox.start();
    REQUIRE(url.has_value());
    client = std::make_unique<httplib::Client>(*url);
    client->set_tcp_nodelay(true);
  }

  Json get(const std::string& path, int status = 200, const httplib::Headers& headers = {}) {
    const auto answer = client->Get(path, headers);
    REQUIRE(answer);
    CHECK(answer->status == status);
    return Json::parse(answer->body);
  }

  void add_pod(const std::string& name, const Json& labels = Json::object()) {
    const Json pod = {{"metadata", {{"name", name}, {"labels", labels}}},
                      {"spec", {{"containers", Json::array({{{"name", "c"}, {"image", "i"}}})}}}};
    const auto answer = client->Post(kPods, pod.dump(), "application/json");
    REQUIRE(answer);
    CHECK(answer->status == 201);
  }

  /// Sends a merge patch to a pod.
  void patch(const std::string& name, const Json& patch) {
    const auto answer = client->Patch(std::string(kPods) + "/" + name, patch.dump(),
                                      "application/merge-patch+json");
    REQUIRE(answer);
    CHECK(answer->status == 200);
  }

  void remove(const std::string& name) { REQUIRE(client->Delete(std::string(kPods) + "/" + name)); }

  /// The events of a watch, up to the one for which `enough` holds or the end of the stream.
  std::vector<Json> watch(const std::string& query, const std::function<bool(const Json&)>& enough,
                          const httplib::Headers& headers = {}) {
    httplib::Client stream(sandbox.url());
    std::vector<Json> events;
    std::string pending;
    stream.Get(std::string(kPods) + "?watch=true&timeoutSeconds=20&" + query, headers,
               [&](const char* data, std::size_t size) {
                 pending.append(data, size);
                 for (std::size_t end; (end = pending.find('\n')) != std::string::npos;) {
                   events.push_back(Json::parse(pending.substr(0, end)));
                   pending.erase(0, end + 1);
                   if (enough(events.back())) return false;
                 }
                 return true;
               });
    return events;
  }

  kinf::RealClock clock;
  kinf::Sandbox sandbox;
  std::unique_ptr<httplib::Client> client;
};

bool is_bookmark(const Json& event) { return event["type"] == "BOOKMARK"; }

std::function<bool(const Json&)> until(const std::string& type) {
  return [type](const Json& event) { return event["type"] == type; };
}

std::vector<std::string> types(const std::vector<Json>& events) {
  std::vector<std::string> result;
  for (const Json& event : events) result.push_back(event["type"]);
  return result;
}

using Types = std::vector<std::string>;

}  // namespace

TEST_CASE("the pages of a list show one state, also when objects change in between") {
  Served s;
  for (const char* name : {"a", "b", "c"}) s.add_pod(name);
  const Json first = s.get(std::string(kPods) + "?limit=2");
  CHECK(first["items"].size() == 2);
  CHECK(first["metadata"]["remainingItemCount"] == 1);
  s.remove("c");
  s.add_pod("d");
  const Json second = s.get(
      std::string(kPods) + "?limit=2&continue=" + first["metadata"]["continue"].get<std::string>());
  REQUIRE(second["items"].size() == 1);
  CHECK(second["items"][0]["metadata"]["name"] == "c");
  CHECK(second["metadata"]["resourceVersion"] == first["metadata"]["resourceVersion"]);
  CHECK_FALSE(second["metadata"].contains("continue"));
}

TEST_CASE("an expired continue token is answered with one for the rest") {
  Served s;
  for (const char* name : {"a", "b", "c"}) s.add_pod(name);
  const Json first = s.get(std::string(kPods) + "?limit=2");
  s.add_pod("d");
  s.sandbox.compact();
  const Json gone = s.get(
      std::string(kPods) + "?limit=2&continue=" + first["metadata"]["continue"].get<std::string>(),
      410);
  CHECK(gone["reason"] == "Expired");
  const Json rest = s.get(std::string(kPods) +
                          "?limit=2&continue=" + gone["metadata"]["continue"].get<std::string>());
  CHECK(rest["items"].size() == 2);
}

TEST_CASE("a streaming list ends with a marked bookmark and goes on with changes") {
  Served s;
  s.add_pod("a");
  std::jthread writer;
  const auto events = s.watch(
      "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true",
      [&](const Json& event) {
        if (is_bookmark(event)) {
          CHECK(event["object"]["metadata"]["annotations"]["k8s.io/initial-events-end"] == "true");
          writer = std::jthread([&] { s.patch("a", {{"metadata", {{"labels", {{"x", "1"}}}}}}); });
        }
        return event["type"] == "MODIFIED";
      });
  CHECK(types(events) == Types{"ADDED", "BOOKMARK", "MODIFIED"});
}

TEST_CASE("an object that leaves the selector is deleted: the old state with the new version") {
  Served s;
  s.add_pod("a", {{"app", "web"}});
  const std::string version = s.sandbox.version();
  s.patch("a", {{"metadata", {{"labels", {{"app", "db"}}}}}});
  const auto events =
      s.watch("labelSelector=app%3Dweb&resourceVersion=" + version, until("DELETED"));
  REQUIRE(types(events) == Types{"DELETED"});
  CHECK(events[0]["object"]["metadata"]["labels"]["app"] == "web");
  CHECK(events[0]["object"]["metadata"]["resourceVersion"] == s.sandbox.version());
}

TEST_CASE("a watch from before the history gets an error event in a 200 answer") {
  Served s;
  s.add_pod("a");
  const std::string version = s.sandbox.version();
  s.patch("a", {{"metadata", {{"labels", {{"x", "1"}}}}}});
  s.sandbox.compact();
  const auto events = s.watch("resourceVersion=" + version, until("never"));
  REQUIRE(types(events) == Types{"ERROR"});
  CHECK(events[0]["object"]["code"] == 410);
  CHECK(events[0]["object"]["message"] ==
        "too old resource version: " + version + " (" + s.sandbox.version() + ")");
}

TEST_CASE("a Table watch sends its columns once") {
  Served s;
  s.add_pod("a");
  s.add_pod("b");
  const auto events =
      s.watch("resourceVersion=0&allowWatchBookmarks=true&includeObject=None", is_bookmark,
              {{"Accept", "application/json;as=Table;v=v1;g=meta.k8s.io"}});
  REQUIRE(types(events) == Types{"ADDED", "ADDED", "BOOKMARK"});
  CHECK(events[0]["object"]["columnDefinitions"].size() == 9);
  CHECK(events[0]["object"]["rows"][0]["cells"][2] == "Pending");
  CHECK(events[0]["object"]["rows"][0]["object"].is_null());
  CHECK(events[1]["object"]["columnDefinitions"].is_null());
}

TEST_CASE("a pod on a node is deleted in two steps, another at once") {
  Served s;
  s.add_pod("free");
  s.add_pod("bound");
  s.patch("bound", {{"spec", {{"nodeName", "n1"}}}});
  s.remove("free");
  s.remove("bound");
  CHECK(s.get(std::string(kPods) + "/free", 404)["message"] == "pods \"free\" not found");
  const Json bound = s.get(std::string(kPods) + "/bound");
  CHECK(bound["metadata"]["deletionGracePeriodSeconds"] == 30);
  REQUIRE(s.client->Delete(std::string(kPods) + "/bound?gracePeriodSeconds=0"));
  s.get(std::string(kPods) + "/bound", 404);
}

TEST_CASE("an object with a finalizer stays until the finalizer is removed") {
  Served s;
  s.add_pod("a");
  s.patch("a", {{"metadata", {{"finalizers", {"example.test/hold"}}}}});
  s.remove("a");
  CHECK(s.get(std::string(kPods) + "/a")["metadata"].contains("deletionTimestamp"));
  s.patch("a", {{"metadata", {{"finalizers", nullptr}}}});
  s.get(std::string(kPods) + "/a", 404);
}

TEST_CASE("requests that cannot be served get the errors of a real server") {
  Served s;
  CHECK(s.get(std::string(kPods) + "?fieldSelector=spec.nosuch%3D1", 400)["message"] ==
        "field label not supported: spec.nosuch");
  CHECK(s.get(std::string(kPods) + "?resourceVersion=999999",
              504)["details"]["causes"][0]["reason"] == "ResourceVersionTooLarge");
  CHECK(s.get(std::string(kPods) + "?watch=true&sendInitialEvents=true",
              422)["details"]["causes"][0]["field"] == "resourceVersionMatch");
  CHECK(s.get("/api/v1/namespaces/default/gadgets", 404)["reason"] == "NotFound");
  const auto group = s.client->Get("/apis/nosuch.test/v1/gadgets");
  REQUIRE(group);
  CHECK(group->body == "404 page not found\n");
  const auto broken = s.client->Post(kPods, std::string(5000, '['), "application/json");
  REQUIRE(broken);
  CHECK(broken->status == 400);
}

TEST_CASE("a sandbox with a token refuses requests without it") {
  kinf::SandboxOptions options;
  options.token = "secret";
  Served s(options);
  CHECK(s.get(kPods, 401)["message"] == "Unauthorized");
  CHECK(s.get(kPods, 200, {{"Authorization", "Bearer secret"}})["items"].empty());
}

TEST_CASE("a CustomResourceDefinition adds its type, and removes its objects when it is deleted") {
  Served s;
  const Json definition = {
      {"metadata", {{"name", "widgets.example.test"}}},
      {"spec",
       {{"group", "example.test"},
        {"scope", "Namespaced"},
        {"names", {{"plural", "widgets"}, {"kind", "Widget"}}},
        {"versions", Json::array({{{"name", "v1"}, {"served", true}, {"storage", true}}})}}}};
  const std::string definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const std::string widgets = "/apis/example.test/v1/namespaces/default/widgets";
  REQUIRE(s.client->Post(definitions, definition.dump(), "application/json"));
  const auto made = s.client->Post(widgets, R"({"metadata":{"name":"w"}})", "application/json");
  REQUIRE(made);
  CHECK(made->status == 201);
  CHECK(s.get(widgets)["items"][0]["kind"] == "Widget");
  REQUIRE(s.client->Delete(definitions + "/widgets.example.test"));
  CHECK(s.client->Get(widgets)->status == 404);
}

TEST_CASE("the nettool scenario is played once and ends with a bookmark") {
  kinf::SandboxOptions options;
  options.scenario = "nettool";
  options.speed = 50;
  kinf::RealClock clock;
  kinf::Sandbox sandbox(options, clock);
  std::atomic<int> ends = 0;
  sandbox.on_scenario_end([&](const std::string&) { ++ends; });
  REQUIRE(sandbox.start().has_value());
  httplib::Client client(sandbox.url());
  std::vector<std::string> seen;
  std::string pending;
  client.Get(std::string(kPods) +
                 "?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                 "&allowWatchBookmarks=true&fieldSelector=metadata.name%3Dnettool",
             [&](const char* data, std::size_t size) {
               pending.append(data, size);
               for (std::size_t end; (end = pending.find('\n')) != std::string::npos;) {
                 seen.push_back(Json::parse(pending.substr(0, end))["type"]);
                 pending.erase(0, end + 1);
               }
               return std::count(seen.begin(), seen.end(), "BOOKMARK") < 2;
             });
  Types expected{"BOOKMARK", "ADDED"};
  expected.insert(expected.end(), 8, "MODIFIED");
  expected.insert(expected.end(), {"DELETED", "BOOKMARK"});
  CHECK(seen == expected);
  CHECK(ends == 1);
  CHECK(sandbox.scenario_ended() == sandbox.version());
}

TEST_CASE("a stop ends open watches cleanly and at once") {
  Served s;
  bool ended_well = false;
  std::atomic<bool> open = false;
  std::jthread watcher([&] {
    httplib::Client stream(s.sandbox.url());
    stream.set_read_timeout(30);
    const auto answer =
        stream.Get(std::string(kPods) + "?watch=true&resourceVersion=0&allowWatchBookmarks=true",
                   [&](const char*, std::size_t) { return open = true; });
    ended_well = static_cast<bool>(answer);
  });
  while (!open) std::this_thread::yield();
  s.sandbox.stop();
  watcher.join();
  CHECK(ended_well);
}
