// SPDX-License-Identifier: Apache-2.0
// The objects that stories are made of: pods of one container in the states they go through.
#pragma once

#include <string>

#include "kinf/sandbox/scenario.h"

namespace kinf::sandbox {

constexpr const char* kStoryNow = "$now";
constexpr const char* kThreeDaysAgo = "$now-260000";

struct StoryPod {
  std::string name;
  Json labels = Json::object();
  std::string container;
  std::string image;
  std::string ip;
  Json owner = nullptr;  ///< an owner reference, if it has one
};

/// apiVersion, kind, name and namespace, with `members` beside them.
Json story_object(const char* api_version, const char* kind, const std::string& name,
                  const Json& members = Json::object());
Json story_condition(const char* type, bool holds, const char* since);
Json story_node(const std::string& name);

/// As someone creates it: on no node yet.
Json new_pod(const StoryPod& pod);
/// As it has been for a while.
Json running_pod(const StoryPod& pod, const char* since);

/// What its container is at.
struct StoryContainer {
  Json state;
  Json last_state = Json::object();
  int restarts = 0;
};
/// A status: of a pod in phase Running, unless its container waits to be created.
Json pod_status(const StoryPod& pod, const StoryContainer& container, const char* since);
Json running_state(const char* since);
Json waiting_state(const char* reason, const std::string& message = "");

/// Steps of a pod's life; `at` is when it begins.
using Millis = std::chrono::milliseconds;
ScenarioStep story_patch(Millis at, const char* api_version, const char* kind,
                         const std::string& name, const Json& members);
/// A node takes the pod and begins to create its container.
ScenarioStep pod_is_placed(Millis at, const StoryPod& pod);
ScenarioStep pod_has(Millis at, const StoryPod& pod, const StoryContainer& container);
ScenarioStep pod_runs(Millis at, const StoryPod& pod);
/// It is deleted, and a second later it is gone.
std::vector<ScenarioStep> pod_goes(Millis at, const StoryPod& pod);

}  // namespace kinf::sandbox
