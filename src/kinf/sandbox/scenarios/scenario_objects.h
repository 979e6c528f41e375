// SPDX-License-Identifier: Apache-2.0
// Objects of the built-in scenarios: pods with one container, in each state of their life cycle,
// and Events.
#pragma once

#include <map>
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
  std::string uid = {};  ///< empty if the server chooses one
};

/// Returns an object in the namespace `default` with `members` added.
Json scenario_object(const char* api_version, const char* kind, const std::string& name,
                     const Json& members = Json::object());
Json condition_json(const char* type, bool holds, const char* since);
Json node_json(const std::string& name);

/// Returns a new pod that is not scheduled yet.
Json new_pod(const ScenarioPod& pod);
/// Returns a pod that has been running since `since`.
Json running_pod(const ScenarioPod& pod, const char* since);

/// The state of a pod's container.
struct ContainerSnapshot {
  Json state;
  Json last_state = Json::object();
  int restarts = 0;
};
/// Returns the member containerStatuses of the status of a pod.
Json container_statuses(const ScenarioPod& pod, const ContainerSnapshot& container);
/// Returns the status of a pod. The phase is Pending while the container is waiting to be created,
/// otherwise Running.
Json pod_status(const ScenarioPod& pod, const ContainerSnapshot& container, const char* since);
Json running_state(const char* since);
Json waiting_state(const char* reason, const std::string& message = "");

/// The functions below return steps in the life cycle of a pod. `at` is the time since the start of
/// the scenario.
using Millis = std::chrono::milliseconds;
ScenarioStep patch_step(Millis at, const char* api_version, const char* kind,
                        const std::string& name, const Json& members);
/// Schedules the pod and starts to create its container.
ScenarioStep schedule_pod_step(Millis at, const ScenarioPod& pod);
ScenarioStep container_step(Millis at, const ScenarioPod& pod, const ContainerSnapshot& container);
ScenarioStep start_pod_step(Millis at, const ScenarioPod& pod);
/// Deletes the pod at `at` and removes it a second later.
std::vector<ScenarioStep> delete_pod_steps(Millis at, const ScenarioPod& pod);

/// The object that an Event is about.
struct EventSubject {
  const char* api_version = "v1";
  const char* kind = "Pod";
  std::string name;
  std::string uid;
  std::string field_path = {};  ///< the part of the object; may be empty
};

EventSubject subject_pod(const ScenarioPod& pod);
EventSubject subject_container(const ScenarioPod& pod);

/// The contents of an Event, and the component that reports it.
struct EventContent {
  const char* type = "Normal";
  const char* reason;
  std::string message;
  const char* component;
};

/// Creates the Events (v1) of a scenario, as the components of a cluster report them.
/// Threads: not thread-safe.
class EventRecorder {
 public:
  /// Returns the step that writes an Event. If the same Event was written before, the step
  /// increases its count and sets its time, as client-go's recorder does.
  ScenarioStep record(Millis at, const EventSubject& about, const EventContent& content);

  // The Events in the life cycle of a pod with one container.
  ScenarioStep scheduled(Millis at, const ScenarioPod& pod);
  ScenarioStep pulled(Millis at, const ScenarioPod& pod);
  ScenarioStep created(Millis at, const ScenarioPod& pod);
  ScenarioStep started(Millis at, const ScenarioPod& pod);
  ScenarioStep killing(Millis at, const ScenarioPod& pod);

 private:
  ScenarioStep by_kubelet(Millis at, const ScenarioPod& pod, const char* reason,
                          std::string message);

  struct Written {
    std::string name;
    int count = 0;
  };
  std::map<std::string, Written> written_;  ///< written Events, by subject, reason and message
};

}  // namespace kinf::sandbox
