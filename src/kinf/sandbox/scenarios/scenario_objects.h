// SPDX-License-Identifier: Apache-2.0
// The objects that stories are made of: pods of one container in the states they go through.
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
  Json owner = nullptr;  ///< an owner reference, if it has one
};

/// apiVersion, kind, name and namespace, with `members` beside them.
Json scenario_object(const char* api_version, const char* kind, const std::string& name,
                     const Json& members = Json::object());
Json condition_json(const char* type, bool holds, const char* since);
Json node_json(const std::string& name);

/// As someone creates it: on no node yet.
Json new_pod(const ScenarioPod& pod);
/// As it has been for a while.
Json running_pod(const ScenarioPod& pod, const char* since);

/// What its container is at.
struct ContainerSnapshot {
  Json state;
  Json last_state = Json::object();
  int restarts = 0;
};
/// A status: of a pod in phase Running, unless its container waits to be created.
Json pod_status(const ScenarioPod& pod, const ContainerSnapshot& container, const char* since);
Json running_state(const char* since);
Json waiting_state(const char* reason, const std::string& message = "");

/// Steps of a pod's life; `at` is when it begins.
using Millis = std::chrono::milliseconds;
ScenarioStep patch_step(Millis at, const char* api_version, const char* kind,
                        const std::string& name, const Json& members);
/// A node takes the pod and begins to create its container.
ScenarioStep schedule_pod_step(Millis at, const ScenarioPod& pod);
ScenarioStep container_step(Millis at, const ScenarioPod& pod, const ContainerSnapshot& container);
ScenarioStep start_pod_step(Millis at, const ScenarioPod& pod);
/// It is deleted, and a second later it is gone.
std::vector<ScenarioStep> delete_pod_steps(Millis at, const ScenarioPod& pod);

}  // namespace kinf::sandbox
