// SPDX-License-Identifier: Apache-2.0
#include "kinf/columns/columns.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "fakes/fake_clock.h"

namespace kinf {
namespace {

using test::FakeClock;
using Json = nlohmann::json;

Json object(const char* api_version, const char* kind) {
  return {{"apiVersion", api_version},
          {"kind", kind},
          {"metadata", {{"name", "web"}, {"creationTimestamp", "2026-11-21T10:00:00Z"}}}};
}

/// The headers of a kind's table, those of `-o wide` behind a bar.
std::string headers(const char* api_version, const char* kind) {
  std::string text;
  for (const TableColumn& column : table_columns(api_version, kind).columns) {
    const bool first_wide = column.priority > 0 && text.find('|') == std::string::npos;
    text += (text.empty() ? "" : first_wide ? " | " : ", ") + column.name;
  }
  return text;
}

struct Kind {
  const char* api_version;
  const char* kind;
  const char* headers;
};

constexpr Kind kKinds[] = {
    {"v1", "Pod", "Name, Ready, Status, Restarts, Age | IP, Node, Nominated Node, Readiness Gates"},
    {"apps/v1", "Deployment",
     "Name, Ready, Up-to-date, Available, Age | Containers, Images, Selector"},
    {"apps/v1", "ReplicaSet", "Name, Desired, Current, Ready, Age | Containers, Images, Selector"},
    {"apps/v1", "DaemonSet",
     "Name, Desired, Current, Ready, Up-to-date, Available, Node Selector, Age | Containers, "
     "Images, Selector"},
    {"apps/v1", "StatefulSet", "Name, Ready, Age | Containers, Images"},
    {"batch/v1", "Job", "Name, Status, Completions, Duration, Age | Containers, Images, Selector"},
    {"v1", "Namespace", "Name, Status, Age"},
    {"v1", "Service", "Name, Type, Cluster-IP, External-IP, Port(s), Age | Selector"},
    {"v1", "Node",
     "Name, Status, Roles, Age, Version | Internal-IP, External-IP, OS-Image, Kernel-Version, "
     "Container-Runtime"},
    {"v1", "ConfigMap", "Name, Data, Age"},
    {"v1", "Secret", "Name, Type, Data, Age"},
    {"v1", "PersistentVolumeClaim",
     "Name, Status, Volume, Capacity, Access Modes, StorageClass, VolumeAttributesClass, Age | "
     "VolumeMode"},
    {"v1", "PersistentVolume",
     "Name, Capacity, Access Modes, Reclaim Policy, Status, Claim, StorageClass, "
     "VolumeAttributesClass, Reason, Age | VolumeMode"},
    {"v1", "Endpoints", "Name, Endpoints, Age"},
    {"v1", "ResourceQuota", "Name, Request, Limit, Age"},
    {"storage.k8s.io/v1", "StorageClass",
     "Name, Provisioner, ReclaimPolicy, VolumeBindingMode, AllowVolumeExpansion, Age"},
    {"networking.k8s.io/v1", "Ingress", "Name, Class, Hosts, Address, Ports, Age"},
    {"batch/v1", "CronJob",
     "Name, Schedule, Timezone, Suspend, Active, Last Schedule, Age | Containers, Images, "
     "Selector"},
    {"coordination.k8s.io/v1", "Lease", "Name, Holder, Age"},
    {"rbac.authorization.k8s.io/v1", "RoleBinding",
     "Name, Role, Age | Users, Groups, ServiceAccounts"},
    {"scheduling.k8s.io/v1", "PriorityClass", "Name, Value, Global-Default, Age, PreemptionPolicy"},
    {"policy/v1", "PodDisruptionBudget",
     "Name, Min Available, Max Unavailable, Allowed Disruptions, Age"},
    {"autoscaling/v2", "HorizontalPodAutoscaler",
     "Name, Reference, Targets, MinPods, MaxPods, Replicas, Age"},
};

TEST_CASE("each kind has the columns of kubectl") {
  for (const Kind& kind : kKinds) CHECK(headers(kind.api_version, kind.kind) == kind.headers);
}

TEST_CASE("each kind has as many cells as columns, name and age among them") {
  for (const Kind& kind : kKinds) {
    CAPTURE(kind.kind);
    const std::vector<TableColumn>& columns = table_columns(kind.api_version, kind.kind).columns;
    const Json cells = table_cells(object(kind.api_version, kind.kind), FakeClock::kStart);
    REQUIRE(cells.size() == columns.size());
    CHECK(columns[0].format == "name");
    CHECK(cells[0] == "web");
    for (std::size_t i = 0; i < columns.size(); ++i) {
      CAPTURE(columns[i].name);
      CHECK_FALSE(columns[i].description.empty());
      if (columns[i].name == "Age") CHECK(cells[i] == "14m");
      if (columns[i].type == "integer") CHECK(cells[i].is_number_integer());
    }
  }
}

TEST_CASE("a kind without columns of its own shows name and age") {
  CHECK(headers("v1", "Lease") == "Name, Age");
  CHECK(table_cells(object("v1", "Lease"), FakeClock::kStart) == Json::array({"web", "14m"}));
  CHECK(table_cells(Json::object(), FakeClock::kStart) == Json::array({"", "<unknown>"}));
}

TEST_CASE("the columns of a kind belong to its group and version") {
  CHECK(headers("serving.example.test/v1", "Service") == "Name, Age");
  CHECK(headers("apps/v1beta1", "Deployment") == "Name, Age");
  CHECK(headers("v1", "pod") == "Name, Age");
}

TEST_CASE("cells are computed for the kind that the object names") {
  const Json service = table_cells(object("v1", "Service"), FakeClock::kStart);
  CHECK(service == Json::array({"web", "", "<none>", "<none>", "<none>", "14m", "<none>"}));
  CHECK(table_cells(object("serving.example.test/v1", "Service"), FakeClock::kStart).size() == 2);
}

TEST_CASE("the row of a pod that has ended has a condition") {
  const auto conditions = [](const char* kind, const char* phase) {
    Json pod = object("v1", kind);
    pod["status"]["phase"] = phase;
    return row_conditions(pod);
  };
  CHECK(conditions("Pod", "Succeeded") ==
        Json::parse(R"([{"type":"Completed","status":"True","reason":"Succeeded"}])"));
  CHECK(conditions("Pod", "Failed")[0]["reason"] == "Failed");
  CHECK(conditions("Pod", "Running") == Json::array());
  CHECK(conditions("Namespace", "Failed") == Json::array());
  CHECK(row_conditions(7) == Json::array());
}

}  // namespace
}  // namespace kinf
