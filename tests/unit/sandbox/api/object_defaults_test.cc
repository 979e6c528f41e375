// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/object_defaults.h"

#include <doctest/doctest.h>

#include "unit/sandbox/api/api_world.h"

namespace kinf::sandbox {
namespace {

Json defaulted(const char* api_version, const char* kind, const Json& members) {
  const ApiWorld world;
  Json object = ApiWorld::named(api_version, kind, "x", members);
  default_spec(world.type(api_version, kind), object);
  return object;
}

TEST_CASE("names are checked as the API server checks them") {
  const ApiWorld world;
  const ApiType& pods = world.type("v1", "Pod");
  for (const char* good : {"a", "web-1", "a.b-c.d", "0", "x1.example.com"}) {
    CHECK_MESSAGE(name_problem(pods, good).empty(), good);
  }
  CHECK(name_problem(pods, std::string(253, 'a')).empty());
  for (const char* bad :
       {"", "Web", "-a", "a-", "a..b", "a.-b", "a_b", "a/b", ".a", "a.", "ä", "a b"}) {
    CHECK_MESSAGE(name_problem(pods, bad).starts_with("a lowercase RFC 1123 subdomain"), bad);
  }
  CHECK(name_problem(pods, std::string(254, 'a')) == "must be no more than 253 bytes");
}

TEST_CASE("the stringData of a Secret becomes data, and replaces it") {
  const ApiWorld world;
  Json secret = ApiWorld::named(
      "v1", "Secret", "x",
      {{"data", {{"a", "YQ=="}, {"b", "Yg=="}}}, {"stringData", {{"b", "new"}, {"c", ""}}}});
  replace_input_members(world.type("v1", "Secret"), secret);
  CHECK(secret["data"] == Json({{"a", "YQ=="}, {"b", "bmV3"}, {"c", ""}}));
  CHECK_FALSE(secret.contains("stringData"));
  CHECK(secret["type"] == "Opaque");
}

TEST_CASE("a Service gets an address, keeps it, and keeps what it says") {
  const ApiWorld world;
  const ApiType& services = world.type("v1", "Service");
  const auto completed = [&](const Json& spec, const Json& before = Json()) {
    Json service = ApiWorld::named("v1", "Service", "x", {{"spec", spec}});
    complete_object(services, service, before);
    return service;
  };
  const Json first = completed(Json::object());
  CHECK(text(first["spec"]["clusterIP"]).starts_with("10."));
  CHECK(first["spec"]["clusterIPs"] == Json::array({first["spec"]["clusterIP"]}));
  Json kept = first;
  kept["spec"]["clusterIP"] = "10.96.0.10";
  CHECK(completed(Json::object(), kept)["spec"]["clusterIP"] == "10.96.0.10");
  CHECK(completed({{"clusterIP", "None"}})["spec"]["clusterIPs"] == Json::array({"None"}));
  CHECK_FALSE(completed({{"type", "ExternalName"}})["spec"].contains("clusterIP"));
}

TEST_CASE("roles may be named as a path segment can be") {
  const ApiWorld world;
  const ApiType& roles = world.type("rbac.authorization.k8s.io/v1", "ClusterRole");
  CHECK(name_problem(roles, "system:node").empty());
  CHECK(name_problem(roles, "Admin").empty());
  for (const char* bad : {".", "..", "a/b", "a%b"}) {
    CHECK(name_problem(roles, bad) == "may not be '.', '..' or contain '/' or '%'");
  }
}

TEST_CASE("a pod gets the defaults of its spec, and keeps what it says") {
  const Json pod = defaulted(
      "v1", "Pod",
      {{"spec", {{"restartPolicy", "Never"}, {"containers", Json::array({{{"name", "c"}}, 7})}}}});
  CHECK(pod["spec"]["restartPolicy"] == "Never");
  CHECK(pod["spec"]["terminationGracePeriodSeconds"] == 30);
  CHECK(pod["spec"]["dnsPolicy"] == "ClusterFirst");
  CHECK(pod["spec"]["containers"][0]["imagePullPolicy"] == "IfNotPresent");
  CHECK(pod["spec"]["containers"][1] == 7);
}

TEST_CASE("workloads get replicas, a pod template and a strategy") {
  const Json deployment = defaulted("apps/v1", "Deployment", {});
  CHECK(deployment["spec"]["replicas"] == 1);
  CHECK(deployment["spec"]["template"]["spec"]["schedulerName"] == "default-scheduler");
  CHECK(deployment["spec"]["strategy"]["rollingUpdate"]["maxSurge"] == "25%");
  const Json recreate =
      defaulted("apps/v1", "Deployment", {{"spec", {{"strategy", {{"type", "Recreate"}}}}}});
  CHECK_FALSE(recreate["spec"]["strategy"].contains("rollingUpdate"));
  CHECK_FALSE(defaulted("apps/v1", "ReplicaSet", {})["spec"].contains("strategy"));
}

TEST_CASE("a service gets a type and the target of each port") {
  const Json service =
      defaulted("v1", "Service", {{"spec", {{"ports", Json::array({{{"port", 80}}, 5})}}}});
  CHECK(service["spec"]["type"] == "ClusterIP");
  CHECK(service["spec"]["ports"][0]["targetPort"] == 80);
  CHECK(service["spec"]["ports"][0]["protocol"] == "TCP");
}

TEST_CASE("a namespace gets its finalizer and its name as a label") {
  const Json ns = defaulted("v1", "Namespace", {});
  CHECK(ns["spec"]["finalizers"] == Json::array({"kubernetes"}));
  CHECK(ns["metadata"]["labels"]["kubernetes.io/metadata.name"] == "x");
}

TEST_CASE("a new object starts with the status that the server gives it") {
  const ApiWorld world;
  const auto status = [&](const char* api_version, const char* kind) {
    Json object = ApiWorld::named(api_version, kind, "x", {{"status", {{"claimed", true}}}});
    initial_status(world.type(api_version, kind), object, "now");
    return object.contains("status") ? to_text(object["status"]) : "none";
  };
  CHECK(status("v1", "Pod") == R"({"phase":"Pending","qosClass":"BestEffort"})");
  CHECK(status("v1", "Namespace") == R"({"phase":"Active"})");
  CHECK(status("v1", "Service") == R"({"loadBalancer":{}})");
  CHECK(status("apps/v1", "Deployment") == "{}");
  CHECK(status("v1", "Node") == R"({"claimed":true})");
  CHECK(status("v1", "ConfigMap") == R"({"claimed":true})");
}

TEST_CASE("a definition is established at once, with its storage version") {
  const ApiWorld world;
  Json definition = widget_definition();
  initial_status(world.type("apiextensions.k8s.io/v1", "CustomResourceDefinition"), definition,
                 "2026-11-21T10:14:00Z");
  const Json& status = definition["status"];
  CHECK(status["conditions"][1]["type"] == "Established");
  CHECK(status["conditions"][1]["lastTransitionTime"] == "2026-11-21T10:14:00Z");
  CHECK(status["acceptedNames"]["kind"] == "Widget");
  CHECK(status["storedVersions"] == Json::array({"v1"}));
}

TEST_CASE("generations count for types that have a controller") {
  const ApiWorld world;
  CHECK(counts_generation(world.type("apps/v1", "Deployment")));
  CHECK(counts_generation(world.type("v1", "Pod")));
  CHECK(counts_generation(world.type("batch/v1", "Job")));
  CHECK_FALSE(counts_generation(world.type("v1", "ConfigMap")));
  CHECK_FALSE(counts_generation(world.type("v1", "Service")));
}

Json spec_of(const char* api_version, const char* kind, Json spec) {
  const ApiWorld world;
  Json object = {{"spec", std::move(spec)}};
  default_spec(world.type(api_version, kind), object);
  return object["spec"];
}

TEST_CASE("Jobs get the numbers that are missing, and CronJobs their limits") {
  const Json job = spec_of("batch/v1", "Job", Json::object());
  CHECK(job["completions"] == 1);
  CHECK(job["parallelism"] == 1);
  CHECK(job["backoffLimit"] == 6);
  CHECK(job["template"]["spec"]["dnsPolicy"] == "ClusterFirst");
  CHECK_FALSE(spec_of("batch/v1", "Job", {{"parallelism", 3}}).contains("completions"));
  const Json cron = spec_of("batch/v1", "CronJob", {{"schedule", "@daily"}});
  CHECK(cron["concurrencyPolicy"] == "Allow");
  CHECK(cron["failedJobsHistoryLimit"] == 1);
  CHECK(cron["jobTemplate"]["spec"]["template"]["spec"]["dnsPolicy"] == "ClusterFirst");
  CHECK_FALSE(cron["jobTemplate"]["spec"].contains("completions"));
}

TEST_CASE("DaemonSets and StatefulSets get an update strategy") {
  const Json daemons = spec_of("apps/v1", "DaemonSet", Json::object());
  CHECK(daemons["updateStrategy"]["rollingUpdate"]["maxUnavailable"] == 1);
  CHECK_FALSE(daemons.contains("replicas"));
  const Json set =
      spec_of("apps/v1", "StatefulSet",
              {{"volumeClaimTemplates", Json::array({{{"metadata", Json::object()}}, 7})},
               {"updateStrategy", {{"type", "OnDelete"}}}});
  CHECK(set["podManagementPolicy"] == "OrderedReady");
  CHECK_FALSE(set["updateStrategy"].contains("rollingUpdate"));
  CHECK(set["volumeClaimTemplates"][0]["kind"] == "PersistentVolumeClaim");
}

TEST_CASE("a Job selects its pods by its uid, unless it has a selector") {
  const ApiWorld world;
  const ApiType& type = world.type("batch/v1", "Job");
  Json job = {{"metadata", {{"name", "j"}, {"uid", "u"}}}, {"spec", Json::object()}};
  complete_object(type, job, Json());
  CHECK(job["spec"]["selector"]["matchLabels"]["batch.kubernetes.io/controller-uid"] == "u");
  CHECK(job["spec"]["template"]["metadata"]["labels"]["job-name"] == "j");
  CHECK(job["metadata"]["labels"]["controller-uid"] == "u");
  Json own = {{"metadata", {{"name", "j"}, {"uid", "u"}, {"labels", {{"a", "b"}}}}},
              {"spec", Json::object()}};
  complete_object(type, own, Json());
  CHECK(own["metadata"]["labels"].size() == 1);
  Json manual = {{"spec", {{"manualSelector", true}}}};
  complete_object(type, manual, Json());
  CHECK_FALSE(manual["spec"].contains("selector"));
}

}  // namespace
}  // namespace kinf::sandbox
