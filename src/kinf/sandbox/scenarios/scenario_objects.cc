// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/scenarios/scenario_objects.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace kinf::sandbox {

Json scenario_object(const char* api_version, const char* kind, const std::string& name,
                     const Json& members) {
  Json result = {{"kind", kind},
                 {"apiVersion", api_version},
                 {"metadata", {{"name", name}, {"namespace", "default"}}}};
  // Merge the members of metadata. Replace all other members.
  for (const auto& [key, value] : members.items()) {
    if (key == "metadata") {
      result[key].update(value);
    } else {
      result[key] = value;
    }
  }
  return result;
}

Json condition_json(const char* type, bool holds, const char* since) {
  return {{"type", type}, {"status", holds ? "True" : "False"}, {"lastTransitionTime", since}};
}

Json node_json(const std::string& name) {
  return {{"kind", "Node"},
          {"apiVersion", "v1"},
          {"metadata",
           {{"name", name},
            {"creationTimestamp", kThreeDaysAgo},
            {"labels", {{"kubernetes.io/hostname", name}, {"kubernetes.io/os", "linux"}}}}},
          {"spec", Json::object()},
          {"status",
           {{"conditions", Json::array({condition_json("Ready", true, kThreeDaysAgo)})},
            {"addresses", Json::array({{{"type", "InternalIP"}, {"address", "192.0.2.10"}}})},
            {"nodeInfo",
             {{"kubeletVersion", "v1.36.3"},
              {"osImage", "Sandbox"},
              {"kernelVersion", "6.1"},
              {"containerRuntimeVersion", "sandbox://1"}}}}}};
}

Json new_pod(const ScenarioPod& pod) {
  Json metadata = {{"labels", pod.labels}};
  if (!pod.uid.empty()) metadata["uid"] = pod.uid;
  if (!pod.owner.is_null()) metadata["ownerReferences"] = Json::array({pod.owner});
  return scenario_object(
      "v1", "Pod", pod.name,
      {{"metadata", std::move(metadata)},
       {"spec", {{"containers", Json::array({{{"name", pod.container}, {"image", pod.image}}})}}}});
}

Json running_pod(const ScenarioPod& pod, const char* since) {
  Json result = new_pod(pod);
  result["metadata"]["creationTimestamp"] = since;
  result["spec"]["nodeName"] = "node-1";
  result["status"] = pod_status(pod, {running_state(since)}, since);
  return result;
}

Json running_state(const char* since) { return {{"running", {{"startedAt", since}}}}; }

Json waiting_state(const char* reason, const std::string& message) {
  Json waiting = {{"reason", reason}};
  if (!message.empty()) waiting["message"] = message;
  return {{"waiting", std::move(waiting)}};
}

Json container_statuses(const ScenarioPod& pod, const ContainerSnapshot& container) {
  const bool runs = container.state.contains("running");
  return Json::array({{{"name", pod.container},
                       {"state", container.state},
                       {"lastState", container.last_state},
                       {"ready", runs},
                       {"restartCount", container.restarts},
                       {"image", pod.image},
                       {"started", runs}}});
}

Json pod_status(const ScenarioPod& pod, const ContainerSnapshot& container, const char* since) {
  const bool runs = container.state.contains("running");
  const bool is_new = !runs && container.last_state.empty() && container.restarts == 0 &&
                      container.state.contains("waiting");
  Json status = {
      {"phase", is_new ? "Pending" : "Running"},
      {"conditions",
       {condition_json("PodScheduled", true, since), condition_json("Initialized", true, since),
        condition_json("ContainersReady", runs, since), condition_json("Ready", runs, since)}},
      {"hostIP", "192.0.2.10"}};
  if (!is_new) {
    status["podIP"] = pod.ip;
    status["podIPs"] = Json::array({{{"ip", pod.ip}}});
  }
  status["startTime"] = since;
  status["containerStatuses"] = container_statuses(pod, container);
  status["qosClass"] = "BestEffort";
  return status;
}

ScenarioStep patch_step(Millis at, const char* api_version, const char* kind,
                        const std::string& name, const Json& members) {
  return {at, StepAction::patch, scenario_object(api_version, kind, name, members)};
}

ScenarioStep schedule_pod_step(Millis at, const ScenarioPod& pod) {
  const ContainerSnapshot created{waiting_state("ContainerCreating")};
  return patch_step(
      at, "v1", "Pod", pod.name,
      {{"spec", {{"nodeName", "node-1"}}}, {"status", pod_status(pod, created, kNow)}});
}

ScenarioStep container_step(Millis at, const ScenarioPod& pod, const ContainerSnapshot& container) {
  Json status = pod_status(pod, container, kNow);
  status.erase("startTime");
  return patch_step(at, "v1", "Pod", pod.name, {{"status", std::move(status)}});
}

ScenarioStep start_pod_step(Millis at, const ScenarioPod& pod) {
  return container_step(at, pod, {running_state(kNow)});
}

std::vector<ScenarioStep> delete_pod_steps(Millis at, const ScenarioPod& pod) {
  const Json object = scenario_object("v1", "Pod", pod.name);
  return {{at, StepAction::delete_gracefully, object},
          {at + std::chrono::seconds(1), StepAction::finish_deletion, object}};
}

namespace {

/// The first number at the end of the name of an Event, which makes the name unique. In a real
/// cluster, this number is a time.
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
  return by_kubelet(at, pod, "Pulled",
                    fmt::format("Container image \"{}\" already present on machine", pod.image));
}

ScenarioStep EventRecorder::created(Millis at, const ScenarioPod& pod) {
  return by_kubelet(at, pod, "Created", "Created container: " + pod.container);
}

ScenarioStep EventRecorder::started(Millis at, const ScenarioPod& pod) {
  return by_kubelet(at, pod, "Started", "Started container " + pod.container);
}

ScenarioStep EventRecorder::killing(Millis at, const ScenarioPod& pod) {
  return by_kubelet(at, pod, "Killing", "Stopping container " + pod.container);
}

ScenarioStep EventRecorder::by_kubelet(Millis at, const ScenarioPod& pod, const char* reason,
                                       std::string message) {
  return record(at, subject_container(pod),
                {.reason = reason, .message = std::move(message), .component = "kubelet"});
}

}  // namespace kinf::sandbox
