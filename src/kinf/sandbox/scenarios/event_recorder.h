// SPDX-License-Identifier: Apache-2.0
// EventRecorder: makes the Events (v1) of a scenario, as the components of a cluster report them.
#pragma once

#include <map>
#include <string>

#include "kinf/sandbox/scenarios/scenario_objects.h"

namespace kinf::sandbox {

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

/// What happened, and the component that reports it.
struct EventContent {
  const char* type = "Normal";
  const char* reason;
  std::string message;
  const char* component;
};

/// Threads: one owner.
class EventRecorder {
 public:
  /// Returns the step that writes an Event. If it was written before, the step increases its count
  /// and sets the time, as client-go's recorder does.
  ScenarioStep record(Millis at, const EventSubject& about, const EventContent& content);

  // The Events in the life of a pod with one container.
  ScenarioStep scheduled(Millis at, const ScenarioPod& pod);
  ScenarioStep pulled(Millis at, const ScenarioPod& pod);
  ScenarioStep created(Millis at, const ScenarioPod& pod);
  ScenarioStep started(Millis at, const ScenarioPod& pod);
  ScenarioStep killing(Millis at, const ScenarioPod& pod);

 private:
  struct Written {
    std::string name;
    int count = 0;
  };
  std::map<std::string, Written> written_;  ///< by subject, reason and message
};

}  // namespace kinf::sandbox
