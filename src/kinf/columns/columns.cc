// SPDX-License-Identifier: Apache-2.0
#include "kinf/columns/columns.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "kinf/columns/fields.h"
#include "kinf/columns/kind_columns.h"
#include "kinf/kubernetes/built_in_types.h"

namespace kinf {
namespace {

using columns::Json;

/// The columns of a built-in kind. `cells` must return one cell per element of `columns`, in the
/// same order; a test compares the sizes.
struct KindColumns {
  std::string_view kind;
  TableColumns columns;
  columns::CellsFunction cells;
};

// The descriptions are written for kinf. Names, types, formats and priorities are those of the API
// server; conformance tests compare them.
constexpr const char* kNameDescription =
    "The name of the object, which is unique within its namespace for objects of one type.";
constexpr const char* kAgeDescription =
    "The time since the object was created, by the clock of the server.";

TableColumn name_column() { return {"Name", "string", "name", kNameDescription, 0}; }
TableColumn age_column() { return {"Age", "string", "", kAgeDescription, 0}; }
TableColumn column(const char* name, const char* description) {
  return {name, "string", "", description, 0};
}
TableColumn integer(const char* name, const char* description) {
  return {name, "integer", "", description, 0};
}
/// A column that only `-o wide` shows.
TableColumn wide(const char* name, const char* description) {
  return {name, "string", "", description, 1};
}

TableColumn containers_column() {
  return wide("Containers", "The names of the containers in the template.");
}
TableColumn images_column() {
  return wide("Images", "The images of the containers in the template.");
}
TableColumn selector_column() {
  return wide("Selector", "The labels that select the pods of the object.");
}

TableColumns event_columns() {
  return {{column("Last Seen", "The time since the event was last seen."),
           column("Type", "The type of the event: Normal or Warning."),
           column("Reason", "The reason of the event, as one word."),
           column("Object", "The kind and name of the object that the event is about."),
           wide("Subobject", "The part of the object that the event is about."),
           wide("Source", "The component that reported the event, and where it runs."),
           column("Message", "What happened."),
           wide("First Seen", "The time since the event was first seen."),
           wide("Count", "How often the event was seen."),
           {"Name", "string", "name", kNameDescription, 1}}};
}

/// The columns of kinds without columns of their own in an API server.
TableColumns dated_columns() {
  return {{name_column(), {"Created At", "date", "", "When the object was created.", 0}}};
}

/// The columns of unknown kinds.
const TableColumns& plain_columns() {
  static const TableColumns plain{{name_column(), age_column()}};
  return plain;
}

const std::array<KindColumns, 29>& kinds() {
  static const std::array<KindColumns, 29> table{{
      {"Pod",
       {{name_column(), column("Ready", "How many containers of the pod are ready."),
         column("Status", "The state of the pod and its containers."),
         column("Restarts", "The number of container restarts, and the time of the last one."),
         age_column(), wide("IP", "The IP address of the pod; empty if none is assigned."),
         wide("Node", "The node that runs the pod; empty until it is scheduled."),
         wide("Nominated Node", "The node on which pods are evicted to make room for the pod."),
         wide("Readiness Gates", "How many readiness gates of the pod are true.")}},
       columns::pod_cells},
      {"Deployment",
       {{name_column(), column("Ready", "How many pods are ready, of how many wanted."),
         column("Up-to-date", "How many pods use the newest template."),
         column("Available", "How many pods have been ready for long enough."), age_column(),
         containers_column(), images_column(), selector_column()}},
       columns::deployment_cells},
      {"ReplicaSet",
       {{name_column(), integer("Desired", "How many pods are wanted."),
         integer("Current", "How many pods there are."),
         integer("Ready", "How many pods are ready."), age_column(), containers_column(),
         images_column(), selector_column()}},
       columns::replica_set_cells},
      {"DaemonSet",
       {{name_column(), integer("Desired", "How many nodes should run the pod."),
         integer("Current", "How many of these nodes run the pod."),
         integer("Ready", "How many nodes run a ready pod."),
         integer("Up-to-date", "How many nodes run a pod of the newest template."),
         integer("Available", "How many nodes run a pod that has been ready for long enough."),
         column("Node Selector", "The labels that a node must have to run the pod."), age_column(),
         containers_column(), images_column(), selector_column()}},
       columns::daemon_set_cells},
      {"StatefulSet",
       {{name_column(), column("Ready", "How many pods are ready, of how many wanted."),
         age_column(), containers_column(), images_column()}},
       columns::stateful_set_cells},
      {"Job",
       {{name_column(), column("Status", "The state of the job."),
         column("Completions", "How many pods succeeded, of how many wanted."),
         column("Duration", "The time from the start of the job to its completion, or until now."),
         age_column(), containers_column(), images_column(), selector_column()}},
       columns::job_cells},
      {"Namespace",
       {{name_column(), column("Status", "The phase of the namespace."), age_column()}},
       columns::namespace_cells},
      {"Service",
       {{name_column(), column("Type", "How the service is exposed."),
         column("Cluster-IP", "The address of the service inside the cluster."),
         column("External-IP", "The addresses or the name of the service outside the cluster."),
         column("Port(s)", "The ports of the service and the node ports."), age_column(),
         wide("Selector", "The labels that select the pods of the service.")}},
       columns::service_cells},
      {"Node",
       {{name_column(), column("Status", "Whether the node is ready and accepts new pods."),
         column("Roles", "The roles of the node, from its labels."), age_column(),
         column("Version", "The version of the kubelet."),
         wide("Internal-IP", "The address of the node inside the cluster."),
         wide("External-IP", "The address of the node outside the cluster."),
         wide("OS-Image", "The operating system of the node."),
         wide("Kernel-Version", "The version of the kernel."),
         wide("Container-Runtime", "The container runtime and its version.")}},
       columns::node_cells},
      {"ConfigMap",
       {{name_column(), column("Data", "The number of entries."), age_column()}},
       columns::config_map_cells},
      {"Secret",
       {{name_column(), column("Type", "What the data is for."),
         column("Data", "The number of entries."), age_column()}},
       columns::secret_cells},
      {"PersistentVolumeClaim",
       {{name_column(), column("Status", "The phase of the claim."),
         column("Volume", "The volume that the claim is bound to."),
         column("Capacity", "The size of the volume."),
         column("Access Modes", "How nodes may mount the volume."),
         column("StorageClass", "The storage class of the claim."),
         column("VolumeAttributesClass", "The class of the attributes of the volume."),
         age_column(), wide("VolumeMode", "Whether the volume has a file system.")}},
       columns::claim_cells},
      {"PersistentVolume",
       {{name_column(), column("Capacity", "The size of the volume."),
         column("Access Modes", "How nodes may mount the volume."),
         column("Reclaim Policy", "What happens to the volume when its claim is deleted."),
         column("Status", "The phase of the volume."),
         column("Claim", "The claim that the volume is bound to."),
         column("StorageClass", "The storage class of the volume."),
         column("VolumeAttributesClass", "The class of the attributes of the volume."),
         column("Reason", "Why the volume is in its phase."), age_column(),
         wide("VolumeMode", "Whether the volume has a file system.")}},
       columns::volume_cells},
      {"StorageClass",
       {{name_column(), column("Provisioner", "What makes the volumes."),
         column("ReclaimPolicy", "What happens to volumes when their claims are deleted."),
         column("VolumeBindingMode", "When claims are bound."),
         column("AllowVolumeExpansion", "Whether claims may grow."), age_column()}},
       columns::storage_class_cells},
      {"Ingress",
       {{name_column(), column("Class", "The class of the controller."),
         column("Hosts", "The hosts of the rules."),
         column("Address", "The addresses of the load balancer."),
         column("Ports", "The open ports."), age_column()}},
       columns::ingress_cells},
      {"Endpoints",
       {{name_column(), column("Endpoints", "The addresses and ports of the pods."), age_column()}},
       columns::endpoints_cells},
      {"CronJob",
       {{name_column(),
         column("Schedule", "When jobs start."),
         column("Timezone", "The time zone of the schedule."),
         {"Suspend", "boolean", "", "Whether no jobs start.", 0},
         integer("Active", "How many jobs run."),
         column("Last Schedule", "The time since a job started."),
         age_column(),
         containers_column(),
         images_column(),
         selector_column()}},
       columns::cron_job_cells},
      {"Lease",
       {{name_column(), column("Holder", "Who holds the lease."), age_column()}},
       columns::lease_cells},
      {"ResourceQuota",
       {{name_column(), column("Request", "The used and allowed amounts, except of limits."),
         column("Limit", "The used and allowed amounts of limits."), age_column()}},
       columns::resource_quota_cells},
      {"RoleBinding",
       {{name_column(), column("Role", "The role that is granted."), age_column(),
         wide("Users", "The users that get the role."),
         wide("Groups", "The groups that get the role."),
         wide("ServiceAccounts", "The service accounts that get the role.")}},
       columns::role_binding_cells},
      {"ClusterRoleBinding",
       {{name_column(), column("Role", "The role that is granted."), age_column(),
         wide("Users", "The users that get the role."),
         wide("Groups", "The groups that get the role."),
         wide("ServiceAccounts", "The service accounts that get the role.")}},
       columns::role_binding_cells},
      {"Role", dated_columns(), columns::dated_cells},
      {"ClusterRole", dated_columns(), columns::dated_cells},
      {"LimitRange", dated_columns(), columns::dated_cells},
      {"PriorityClass",
       {{name_column(),
         integer("Value", "The priority of the pods."),
         {"Global-Default", "boolean", "", "Whether pods without a class get this priority.", 0},
         age_column(),
         column("PreemptionPolicy", "Whether pods may displace others.")}},
       columns::priority_class_cells},
      {"PodDisruptionBudget",
       {{name_column(), column("Min Available", "How many pods must be available."),
         column("Max Unavailable", "How many pods may be unavailable."),
         integer("Allowed Disruptions", "How many pods may be disrupted now."), age_column()}},
       columns::disruption_budget_cells},
      {"HorizontalPodAutoscaler",
       {{name_column(), column("Reference", "What is scaled."),
         column("Targets", "The current and wanted values of the metrics."),
         column("MinPods", "The smallest number of pods."),
         column("MaxPods", "The largest number of pods."),
         column("Replicas", "How many pods there are."), age_column()}},
       columns::autoscaler_cells},
      {"Scale",
       {{{"Name", "string", "", kNameDescription, 0},
         integer("Desired", "How many pods are wanted."),
         integer("Available", "How many pods there are."),
         age_column()}},
       columns::scale_cells},
      {"Event", event_columns(), columns::event_cells},
  }};
  return table;
}

/// Returns null for an unknown kind. A linear search is fast enough for so few entries.
const KindColumns* find_columns(std::string_view api_version, std::string_view kind) {
  const auto found = std::ranges::find(kinds(), kind, &KindColumns::kind);
  const bool is_scale = api_version == "autoscaling/v1" && kind == "Scale";  // of many types
  const bool is_known =
      found != kinds().end() && (is_scale || find_built_in_kind(api_version, kind) != nullptr);
  return is_known ? &*found : nullptr;
}

}  // namespace

const TableColumns& table_columns(std::string_view api_version, std::string_view kind) {
  const KindColumns* known = find_columns(api_version, kind);
  return known == nullptr ? plain_columns() : known->columns;
}

Json table_cells(const Json& object, Clock::Wall now) {
  using columns::field;
  using columns::text;
  const KindColumns* known =
      find_columns(text(field(object, "apiVersion")), text(field(object, "kind")));
  if (known != nullptr) return known->cells(object, now);
  return Json::array({columns::name_of(object), columns::age(object, now)});
}

Json row_conditions(const Json& object) {
  using columns::field;
  using columns::text;
  const std::string phase = text(field(object, "status", "phase"));
  if (text(field(object, "kind")) == "Pod" && (phase == "Succeeded" || phase == "Failed")) {
    return Json::array({{{"type", "Completed"}, {"status", "True"}, {"reason", phase}}});
  }
  return Json::array();
}

}  // namespace kinf
