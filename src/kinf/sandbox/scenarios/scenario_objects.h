// SPDX-License-Identifier: Apache-2.0
// Objects for built-in scenarios: pods with one container in the states of their life.
#pragma once

#include <string>

#include "kinf/sandbox/scenarios/scenario.h"

namespace kinf::sandbox {

constexpr const char* kNow = "$now";
constexpr const char* kThreeDaysAgo = "$now-260000";

struct ScenarioPod {
  std::string name;
  Json labels = Json::object();
  std::string container;
  std::string image;
  std::string ip;
  Json owner = nullptr;  ///< an owner reference, or null
};

/// An object in the namespace default with `members` added.
Json scenario_object(const char* api_version, const char* kind, const std::string& name,
                     const Json& members = Json::object());
Json condition_json(const char* type, bool holds, const char* since);
Json node_json(const std::string& name);

/// A new pod, not scheduled yet.
Json new_pod(const ScenarioPod& pod);
/// A pod that has been running since `since`.
Json running_pod(const ScenarioPod& pod, const char* since);

/// The state of a pod's container.
struct ContainerSnapshot {
  Json state;
  Json last_state = Json::object();
  int restarts = 0;
};
/// The status of a pod: Running, or Pending if the container is waiting to be created.
Json pod_status(const ScenarioPod& pod, const ContainerSnapshot& container, const char* since);
Json running_state(const char* since);
Json waiting_state(const char* reason, const std::string& message = "");

/// Steps in the life of a pod, at the time `at`.
using Millis = std::chrono::milliseconds;
ScenarioStep patch_step(Millis at, const char* api_version, const char* kind,
                        const std::string& name, const Json& members);
/// Schedules the pod and starts to create its container.
ScenarioStep schedule_pod_step(Millis at, const ScenarioPod& pod);
ScenarioStep container_step(Millis at, const ScenarioPod& pod, const ContainerSnapshot& container);
ScenarioStep start_pod_step(Millis at, const ScenarioPod& pod);
/// Deletes the pod and removes it a second later.
std::vector<ScenarioStep> delete_pod_steps(Millis at, const ScenarioPod& pod);

}  // namespace kinf::sandbox
