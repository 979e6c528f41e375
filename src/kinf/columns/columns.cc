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

/// The columns of unknown kinds.
const TableColumns& plain_columns() {
  static const TableColumns plain{{name_column(), age_column()}};
  return plain;
}

const std::array<KindColumns, 11>& kinds() {
  static const std::array<KindColumns, 11> table{{
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
      {"Event", event_columns(), columns::event_cells},
  }};
  return table;
}

/// Returns null for an unknown kind. A linear search is fast enough for so few entries.
const KindColumns* find_columns(std::string_view api_version, std::string_view kind) {
  const auto found = std::ranges::find(kinds(), kind, &KindColumns::kind);
  const bool is_known = found != kinds().end() && find_built_in_kind(api_version, kind) != nullptr;
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
