// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/scenarios/event_recorder.h"

#include <fmt/format.h>

#include <string_view>

namespace kinf::sandbox {
namespace {

/// Names of Events end in a number that makes them unique; in a cluster it is a time.
constexpr unsigned long long kFirstNumber = 0x1800000000000001ULL;

}  // namespace

EventSubject subject_pod(const ScenarioPod& pod) { return {.name = pod.name, .uid = pod.uid}; }

EventSubject subject_container(const ScenarioPod& pod) {
  return {.name = pod.name,
          .uid = pod.uid,
          .field_path = fmt::format("spec.containers{{{}}}", pod.container)};
}

ScenarioStep EventRecorder::record(Millis at, const EventSubject& about,
                                   const EventContent& content) {
  const std::string key =
      fmt::format("{}/{}/{}/{}", about.kind, about.name, content.reason, content.message);
  const unsigned long long number = kFirstNumber + written_.size();
  Written& written = written_[key];
  if (++written.count > 1) {
    return patch_step(at, "v1", "Event", written.name,
                      {{"count", written.count}, {"lastTimestamp", kNow}});
  }
  written.name = fmt::format("{}.{:x}", about.name, number);
  Json involved = {{"kind", about.kind},
                   {"namespace", "default"},
                   {"name", about.name},
                   {"uid", about.uid},
                   {"apiVersion", about.api_version}};
  if (!about.field_path.empty()) involved["fieldPath"] = about.field_path;
  const bool is_kubelet = std::string_view(content.component) == "kubelet";
  Json source = {{"component", content.component}};
  if (is_kubelet) source["host"] = "node-1";
  return {at, StepAction::apply,
          scenario_object("v1", "Event", written.name,
                          {{"involvedObject", std::move(involved)},
                           {"reason", content.reason},
                           {"message", content.message},
                           {"source", std::move(source)},
                           {"firstTimestamp", kNow},
                           {"lastTimestamp", kNow},
                           {"count", 1},
                           {"type", content.type},
                           {"reportingComponent", content.component},
                           {"reportingInstance", is_kubelet ? "node-1" : ""}})};
}

ScenarioStep EventRecorder::scheduled(Millis at, const ScenarioPod& pod) {
  return record(at, subject_pod(pod),
                {.reason = "Scheduled",
                 .message = fmt::format("Successfully assigned default/{} to node-1", pod.name),
                 .component = "default-scheduler"});
}

ScenarioStep EventRecorder::pulled(Millis at, const ScenarioPod& pod) {
  return record(
      at, subject_container(pod),
      {.reason = "Pulled",
       .message = fmt::format("Container image \"{}\" already present on machine", pod.image),
       .component = "kubelet"});
}

ScenarioStep EventRecorder::created(Millis at, const ScenarioPod& pod) {
  return record(at, subject_container(pod),
                {.reason = "Created",
                 .message = "Created container: " + pod.container,
                 .component = "kubelet"});
}

ScenarioStep EventRecorder::started(Millis at, const ScenarioPod& pod) {
  return record(at, subject_container(pod),
                {.reason = "Started",
                 .message = "Started container " + pod.container,
                 .component = "kubelet"});
}

ScenarioStep EventRecorder::killing(Millis at, const ScenarioPod& pod) {
  return record(at, subject_container(pod),
                {.reason = "Killing",
                 .message = "Stopping container " + pod.container,
                 .component = "kubelet"});
}

}  // namespace kinf::sandbox
