// SPDX-License-Identifier: Apache-2.0
// The cells of namespaces, services, nodes and config maps, as kubectl shows them.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "fakes/fake_clock.h"
#include "kinf/columns/kind_columns.h"

namespace kinf {
namespace {

using Json = nlohmann::json;
using test::FakeClock;

Json row(columns::CellsFunction cells, std::string_view object) {
  Json made = Json::parse(object);
  made["metadata"]["name"] = "web";
  made["metadata"]["creationTimestamp"] = "2026-11-21T10:00:00Z";
  return cells(made, FakeClock::kStart);
}

Json service(std::string_view spec, std::string_view status = "{}") {
  const std::string text =
      std::string(R"({"spec":)") + std::string(spec) + R"(,"status":)" + std::string(status) + "}";
  return row(columns::service_cells, text);
}

TEST_CASE("a namespace shows its phase") {
  CHECK(row(columns::namespace_cells, R"({"status":{"phase":"Terminating"}})") ==
        Json::array({"web", "Terminating", "14m"}));
  CHECK(row(columns::namespace_cells, "{}") == Json::array({"web", "", "14m"}));
}

TEST_CASE("a config map counts its entries, text and binary") {
  CHECK(row(columns::config_map_cells, R"({"data":{"a":"1","b":"2"},"binaryData":{"c":"AA=="}})") ==
        Json::array({"web", 3, "14m"}));
  CHECK(row(columns::config_map_cells, "{}") == Json::array({"web", 0, "14m"}));
  CHECK(row(columns::config_map_cells, R"({"data":[1,2]})")[1] == 0);
}

TEST_CASE("a service shows its addresses, ports and selector") {
  CHECK(service(R"({"type":"ClusterIP","clusterIP":"10.0.0.1","clusterIPs":["10.0.0.1","fd00::1"],
                    "ports":[{"port":80,"protocol":"TCP"},{"port":53,"protocol":"UDP"}],
                    "selector":{"tier":"front","app":"web"}})") ==
        Json::array({"web", "ClusterIP", "10.0.0.1", "<none>", "80/TCP,53/UDP", "14m",
                     "app=web,tier=front"}));
  CHECK(service("{}") == Json::array({"web", "", "<none>", "<none>", "<none>", "14m", "<none>"}));
}

TEST_CASE("the address in the cluster is the first of the list, or the single field") {
  const auto ip = [](std::string_view spec) { return service(spec)[2]; };
  CHECK(ip(R"({"clusterIP":"10.0.0.1"})") == "10.0.0.1");
  CHECK(ip(R"({"clusterIP":"10.0.0.1","clusterIPs":["fd00::1"]})") == "fd00::1");
  CHECK(ip(R"({"clusterIP":"None","clusterIPs":["None"]})") == "None");
}

TEST_CASE("a port on the nodes follows the port of the service") {
  CHECK(service(R"({"type":"NodePort","ports":[{"port":80,"nodePort":30080,"protocol":"TCP"},
                    {"port":443,"nodePort":0,"protocol":"TCP"}]})")[4] == "80:30080/TCP,443/TCP");
}

TEST_CASE("the address outside the cluster depends on the type of the service") {
  struct Case {
    const char* spec;
    const char* status;
    const char* address;
  };
  const Case cases[] = {
      {R"({"type":"ClusterIP"})", "{}", "<none>"},
      {R"({"type":"ClusterIP","externalIPs":["1.1.1.1","2.2.2.2"]})", "{}", "1.1.1.1,2.2.2.2"},
      {R"({"type":"NodePort","externalIPs":["1.1.1.1"]})", "{}", "1.1.1.1"},
      {R"({"type":"ExternalName","externalName":"db.example.com","externalIPs":["1.1.1.1"]})", "{}",
       "db.example.com"},
      {R"({"type":"LoadBalancer"})", "{}", "<pending>"},
      {R"({"type":"LoadBalancer","externalIPs":["1.1.1.1"]})", "{}", "1.1.1.1"},
      {R"({"type":"LoadBalancer"})", R"({"loadBalancer":{"ingress":[{"ip":"3.3.3.3"}]}})",
       "3.3.3.3"},
      {R"({"type":"LoadBalancer"})",
       R"({"loadBalancer":{"ingress":[{"hostname":"lb.example.com"},{"ip":"3.3.3.3"},
           {"ip":"3.3.3.3","hostname":"x"},{}]}})",
       "3.3.3.3,lb.example.com"},
      {R"({"type":"LoadBalancer","externalIPs":["1.1.1.1"]})",
       R"({"loadBalancer":{"ingress":[{"ip":"3.3.3.3"}]}})", "3.3.3.3,1.1.1.1"},
  };
  for (const Case& one : cases) {
    CAPTURE(one.spec);
    CAPTURE(one.status);
    CHECK(service(one.spec, one.status)[3] == one.address);
  }
}

TEST_CASE("a node shows its state, roles, version, addresses and software") {
  CHECK(row(columns::node_cells,
            R"({"metadata":{"labels":{"node-role.kubernetes.io/worker":"",
                                      "node-role.kubernetes.io/control-plane":""}},
                "status":{"conditions":[{"type":"Ready","status":"True"}],
                          "addresses":[{"type":"Hostname","address":"n1"},
                                       {"type":"InternalIP","address":"10.0.0.1"},
                                       {"type":"InternalIP","address":"fd00::1"},
                                       {"type":"ExternalIP","address":"1.1.1.1"}],
                          "nodeInfo":{"kubeletVersion":"v1.36.0","osImage":"Debian 12",
                                      "kernelVersion":"6.1","containerRuntimeVersion":
                                      "containerd://2.0"}}})") ==
        Json::array({"web", "Ready", "control-plane,worker", "14m", "v1.36.0", "10.0.0.1",
                     "1.1.1.1", "Debian 12", "6.1", "containerd://2.0"}));
  CHECK(row(columns::node_cells, "{}") ==
        Json::array({"web", "Unknown", "<none>", "14m", "", "<none>", "<none>", "<unknown>",
                     "<unknown>", "<unknown>"}));
}

TEST_CASE("a node is ready, not ready or unknown, and may be cordoned") {
  const auto status = [](std::string_view conditions, std::string_view spec = "{}") {
    return row(columns::node_cells, std::string(R"({"spec":)") + std::string(spec) +
                                        R"(,"status":{"conditions":)" + std::string(conditions) +
                                        "}}")[1];
  };
  CHECK(status(R"([{"type":"Ready","status":"False"}])") == "NotReady");
  CHECK(status(R"([{"type":"Ready","status":"Unknown"}])") == "NotReady");
  CHECK(status(R"([{"type":"MemoryPressure","status":"True"}])") == "Unknown");
  CHECK(status(R"([{"type":"Ready","status":"True"}])", R"({"unschedulable":true})") ==
        "Ready,SchedulingDisabled");
  CHECK(status("[]", R"({"unschedulable":true})") == "Unknown,SchedulingDisabled");
  CHECK(status("[]", R"({"unschedulable":"true"})") == "Unknown");
}

TEST_CASE("the roles of a node come from two kinds of labels, each role once") {
  const auto roles = [](std::string_view labels) {
    return row(columns::node_cells,
               std::string(R"({"metadata":{"labels":)") + std::string(labels) + "}}")[2];
  };
  CHECK(roles(R"({"kubernetes.io/role":"master"})") == "master");
  CHECK(roles(R"({"kubernetes.io/role":"worker","node-role.kubernetes.io/worker":""})") ==
        "worker");
  CHECK(roles(R"({"kubernetes.io/role":"","node-role.kubernetes.io/":"","zone":"a"})") == "<none>");
}

}  // namespace
}  // namespace kinf
