// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/scenario.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstdlib>

namespace kinf::sandbox {
namespace {

constexpr const char* kThreeDaysAgo = "$now-260000";

Json condition(const char* type, bool holds, const char* since) {
  return {{"type", type}, {"status", holds ? "True" : "False"}, {"lastTransitionTime", since}};
}

Json running_status(const std::string& container, const std::string& image, const std::string& ip,
                    const char* since) {
  return {{"phase", "Running"},
          {"conditions",
           {condition("PodScheduled", true, since), condition("Initialized", true, since),
            condition("ContainersReady", true, since), condition("Ready", true, since)}},
          {"hostIP", "192.0.2.10"},
          {"podIP", ip},
          {"podIPs", Json::array({{{"ip", ip}}})},
          {"startTime", since},
          {"containerStatuses", Json::array({{{"name", container},
                                              {"state", {{"running", {{"startedAt", since}}}}},
                                              {"lastState", Json::object()},
                                              {"ready", true},
                                              {"restartCount", 0},
                                              {"image", image},
                                              {"started", true}}})},
          {"qosClass", "BestEffort"}};
}

Json pod(const std::string& name, Json labels, const std::string& container,
         const std::string& image) {
  return {{"kind", "Pod"},
          {"apiVersion", "v1"},
          {"metadata", {{"name", name}, {"namespace", "default"}, {"labels", std::move(labels)}}},
          {"spec", {{"containers", Json::array({{{"name", container}, {"image", image}}})}}}};
}

Json running_pod(const std::string& name, Json labels, const std::string& image,
                 const std::string& ip) {
  const std::string container = labels["app"].get<std::string>();
  Json result = pod(name, std::move(labels), container, image);
  result["metadata"]["creationTimestamp"] = kThreeDaysAgo;
  result["spec"]["nodeName"] = "node-1";
  result["status"] = running_status(container, image, ip, kThreeDaysAgo);
  return result;
}

Json node(const std::string& name) {
  return {{"kind", "Node"},
          {"apiVersion", "v1"},
          {"metadata",
           {{"name", name},
            {"creationTimestamp", kThreeDaysAgo},
            {"labels", {{"kubernetes.io/hostname", name}, {"kubernetes.io/os", "linux"}}}}},
          {"spec", Json::object()},
          {"status",
           {{"conditions", Json::array({condition("Ready", true, kThreeDaysAgo)})},
            {"addresses", Json::array({{{"type", "InternalIP"}, {"address", "192.0.2.10"}}})},
            {"nodeInfo",
             {{"kubeletVersion", "v1.36.3"},
              {"osImage", "Sandbox"},
              {"kernelVersion", "6.1"},
              {"containerRuntimeVersion", "sandbox://1"}}}}}};
}

/// The object that a step is about, with what the step merges into it.
Json about_nettool(Json members) {
  Json result = {{"kind", "Pod"},
                 {"apiVersion", "v1"},
                 {"metadata", {{"name", "nettool"}, {"namespace", "default"}}}};
  result.update(members);
  return result;
}

Json creating_status() {
  const char* now = "$now";
  return {{"phase", "Pending"},
          {"conditions",
           {condition("PodScheduled", true, now), condition("Initialized", true, now),
            condition("ContainersReady", false, now), condition("Ready", false, now)}},
          {"hostIP", "192.0.2.10"},
          {"startTime", now},
          {"containerStatuses",
           Json::array({{{"name", "nettool"},
                         {"state", {{"waiting", {{"reason", "ContainerCreating"}}}}},
                         {"lastState", Json::object()},
                         {"ready", false},
                         {"restartCount", 0},
                         {"image", "nettool:1"},
                         {"started", false}}})},
          {"qosClass", "BestEffort"}};
}

/// Someone runs a pod to look at the network, and deletes it after some seconds.
Scenario nettool() {
  Scenario scenario;
  scenario.initial = {node("node-1"),
                      running_pod("quickstart-es-default-0", {{"app", "quickstart-es"}},
                                  "elasticsearch:8", "198.51.100.11"),
                      running_pod("robusta-forwarder-5f65fd6fbb-s2trs",
                                  {{"app", "robusta-forwarder"}, {"tier", "forwarder"}},
                                  "kubewatch:2", "198.51.100.12"),
                      running_pod("robusta-runner-567655bf5b-v4xvj", {{"app", "robusta-runner"}},
                                  "robusta:1", "198.51.100.13"),
                      running_pod("wiremock-84d49c989c-zg4ls", {{"app", "wiremock"}}, "wiremock:3",
                                  "198.51.100.14")};
  using std::chrono::milliseconds;
  // Each step a little behind the second at which it is to be seen, for the ages are printed.
  scenario.steps = {
      {milliseconds(0), StepAction::apply,
       pod("nettool", {{"run", "nettool"}}, "nettool", "nettool:1")},
      {milliseconds(400), StepAction::patch,
       about_nettool({{"spec", {{"nodeName", "node-1"}}}, {"status", creating_status()}})},
      {milliseconds(2200), StepAction::patch,
       about_nettool(
           {{"status", running_status("nettool", "nettool:1", "198.51.100.15", "$now")}})},
      {milliseconds(9200), StepAction::remove, about_nettool(Json::object())},
      {milliseconds(10200), StepAction::erase, about_nettool(Json::object())}};
  return scenario;
}

std::string resolve_time(const std::string& text, Clock::Wall now) {
  const std::int64_t offset = std::strtoll(text.c_str() + 4, nullptr, 10);
  const auto time = std::chrono::floor<std::chrono::seconds>(now) + std::chrono::seconds(offset);
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

}  // namespace

std::optional<Scenario> find_scenario(std::string_view name) {
  if (name == "quiet") return Scenario{};
  if (name == "nettool") return nettool();
  return std::nullopt;
}

std::vector<std::string> scenario_names() { return {"nettool", "quiet"}; }

Json with_times(Json object, Clock::Wall now) {
  if (object.is_string() && object.get_ref<const std::string&>().starts_with("$now")) {
    return resolve_time(object.get_ref<const std::string&>(), now);
  }
  if (object.is_structured()) {
    for (Json& member : object) member = with_times(std::move(member), now);
  }
  return object;
}

}  // namespace kinf::sandbox
