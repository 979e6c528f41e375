// SPDX-License-Identifier: Apache-2.0
// The cells of volumes, ingresses and endpoints, and of what configures other objects, as kubectl
// shows them.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "fakes/fake_clock.h"
#include "kinf/columns/columns.h"

namespace kinf {
namespace {

using Json = nlohmann::json;
using test::FakeClock;

/// Returns the cells after the name, and checks the name.
Json cells(const char* api_version, const char* kind, std::string_view object) {
  Json made = Json::parse(object);
  made["apiVersion"] = api_version;
  made["kind"] = kind;
  made["metadata"]["name"] = "web";
  made["metadata"]["creationTimestamp"] = "2026-11-21T10:00:00Z";
  Json row = table_cells(made, FakeClock::kStart);
  CHECK(row.at(0).get<std::string>().starts_with("web"));
  row.erase(0);
  return row;
}

TEST_CASE("a secret shows its type and counts its entries, a lease its holder") {
  CHECK(cells("v1", "Secret", R"({"type":"Opaque","data":{"a":"eA==","b":""}})") ==
        Json::array({"Opaque", 2, "14m"}));
  CHECK(cells("coordination.k8s.io/v1", "Lease", R"({"spec":{"holderIdentity":"node-1"}})") ==
        Json::array({"node-1", "14m"}));
}

TEST_CASE("a claim shows size and access only if it is bound") {
  CHECK(cells("v1", "PersistentVolumeClaim",
              R"({"spec":{"storageClassName":"fast","volumeMode":"Filesystem"},
                  "status":{"phase":"Pending"}})") ==
        Json::array({"Pending", "", "", "", "fast", "<unset>", "14m", "Filesystem"}));
  CHECK(
      cells("v1", "PersistentVolumeClaim",
            R"({"spec":{"volumeName":"pv-1"},"status":{"phase":"Bound","capacity":{"storage":"1Gi"},
                  "accessModes":["ReadWriteMany","ReadWriteOnce","ReadWriteMany"]}})") ==
      Json::array({"Bound", "pv-1", "1Gi", "RWO,RWX", "", "<unset>", "14m", "<unset>"}));
  CHECK(cells("v1", "PersistentVolume",
              R"({"spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadOnlyMany"],
                  "claimRef":{"namespace":"shop","name":"db"},
                  "persistentVolumeReclaimPolicy":"Retain"},"status":{"phase":"Bound"}})") ==
        Json::array(
            {"1Gi", "ROX", "Retain", "Bound", "shop/db", "", "<unset>", "", "14m", "<unset>"}));
  const Json normal = cells("storage.k8s.io/v1", "StorageClass",
                            R"({"provisioner":"disk","metadata":{"annotations":{
                                "storageclass.kubernetes.io/is-default-class":"true"}}})");
  CHECK(normal == Json::array({"disk", "Delete", "Immediate", "false", "14m"}));
}

TEST_CASE("an ingress shows three hosts, and the ports of TLS") {
  CHECK(cells("networking.k8s.io/v1", "Ingress", "{}") ==
        Json::array({"<none>", "*", "", "80", "14m"}));
  CHECK(cells("networking.k8s.io/v1", "Ingress",
              R"({"spec":{"ingressClassName":"nginx","tls":[{}],"rules":[{"host":"a"},{"host":"b"},
                  {"host":"c"},{"host":"d"}]},
                  "status":{"loadBalancer":{"ingress":[{"hostname":"lb.example.com.test"}]}}})") ==
        Json::array({"nginx", "a,b,c + 1 more...", "lb.example.com.test", "80, 443", "14m"}));
}

TEST_CASE("endpoints show three addresses with their ports") {
  CHECK(cells("v1", "Endpoints", "{}") == Json::array({"<none>", "14m"}));
  CHECK(cells("v1", "Endpoints",
              R"({"subsets":[{"addresses":[{"ip":"10.0.0.1"},{"ip":"fd00::1"}],
                  "ports":[{"port":80},{"port":443}]}]})") ==
        Json::array({"10.0.0.1:80,[fd00::1]:80,10.0.0.1:443 + 1 more...", "14m"}));
  CHECK(cells("v1", "Endpoints", R"({"subsets":[{"addresses":[{"ip":"10.0.0.1"}]}]})") ==
        Json::array({"10.0.0.1", "14m"}));
}

TEST_CASE("a cron job shows its schedule, and when it last ran") {
  CHECK(cells("batch/v1", "CronJob",
              R"({"spec":{"schedule":"0 3 * * *","suspend":false,"jobTemplate":{"spec":{"template":
                  {"spec":{"containers":[{"name":"c","image":"i"}]}}}}},
                  "status":{"active":[{}],"lastScheduleTime":"2026-11-21T10:10:00Z"}})") ==
        Json::array({"0 3 * * *", "<none>", "False", 1, "4m", "14m", "c", "i", "<none>"}));
}

TEST_CASE("a quota shows used and allowed amounts, those of limits apart") {
  CHECK(cells("v1", "ResourceQuota",
              R"({"status":{"hard":{"pods":"10","limits.cpu":"2","requests.cpu":"1"},
                  "used":{"pods":"3"}}})") ==
        Json::array({"pods: 3/10, requests.cpu: 0/1", "limits.cpu: 0/2", "14m"}));
}

TEST_CASE("a scale shows the wanted and the present pods") {
  CHECK(cells("autoscaling/v1", "Scale", R"({"spec":{"replicas":3},"status":{"replicas":2}})") ==
        Json::array({3, 2, "14m"}));
}

TEST_CASE("roles show when they were created, bindings whom they give which role") {
  for (const char* kind : {"Role", "ClusterRole"}) {
    CHECK(cells("rbac.authorization.k8s.io/v1", kind, "{}") ==
          Json::array({"2026-11-21T10:00:00Z"}));
  }
  CHECK(cells("rbac.authorization.k8s.io/v1", "RoleBinding",
              R"({"roleRef":{"kind":"Role","name":"view"},"subjects":[{"kind":"User","name":"ann"},
                  {"kind":"ServiceAccount","namespace":"shop","name":"bot"},
                  {"kind":"User","name":"bob"}]})") ==
        Json::array({"Role/view", "14m", "ann, bob", "", "shop/bot"}));
}

TEST_CASE("a priority class, a disruption budget and an autoscaler show their numbers") {
  CHECK(cells("scheduling.k8s.io/v1", "PriorityClass",
              R"({"value":1000,"globalDefault":true,"preemptionPolicy":"Never"})") ==
        Json::array({1000, "true", "14m", "Never"}));
  CHECK(cells("policy/v1", "PodDisruptionBudget",
              R"({"spec":{"minAvailable":"50%"},"status":{"disruptionsAllowed":1}})") ==
        Json::array({"50%", "N/A", 1, "14m"}));
  CHECK(cells("autoscaling/v2", "HorizontalPodAutoscaler",
              R"({"spec":{"scaleTargetRef":{"kind":"Deployment","name":"web"},"maxReplicas":5,
                  "metrics":[{"type":"Resource","resource":{"name":"cpu","target":
                  {"averageUtilization":80}}},{"type":"External","external":{"target":
                  {"averageValue":"7"}}},{}]},"status":{"currentReplicas":2,"currentMetrics":[
                  {"type":"Resource","resource":{"current":{"averageUtilization":30}}}]}})") ==
        Json::array({"Deployment/web", "cpu: 30%/80%, <unknown>/7 (avg) + 1 more...", "<unset>", 5,
                     2, "14m"}));
}

}  // namespace
}  // namespace kinf
