// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/nodes.h"

#include <fmt/format.h>

#include <algorithm>

namespace kinf::sandbox {
namespace {

constexpr const char* kRuntime = "sandbox://";

Json condition(const char* type, bool holds, const char* reason, const char* message,
               const std::string& now) {
  return {{"type", type},
          {"status", holds ? "True" : "False"},
          {"lastHeartbeatTime", now},
          {"lastTransitionTime", now},
          {"reason", reason},
          {"message", message}};
}

bool tolerates(const Json& toleration, const Json& taint) {
  const std::string key = text(field(toleration, "key"));
  const std::string effect = text(field(toleration, "effect"));
  if (!effect.empty() && effect != text(field(taint, "effect"))) return false;
  if (text(field(toleration, "operator")) == "Exists") {
    return key.empty() || key == text(field(taint, "key"));
  }
  return key == text(field(taint, "key")) &&
         text(field(toleration, "value")) == text(field(taint, "value"));
}

bool tolerates_taint(const Json& pod, const Json& taint) {
  const std::string effect = text(field(taint, "effect"));
  if (effect != "NoSchedule" && effect != "NoExecute") return true;
  const Json& tolerations = elements(field(pod, "spec", "tolerations"));
  return std::ranges::any_of(tolerations, [&](const Json& each) { return tolerates(each, taint); });
}

}  // namespace

Json sandbox_node(int number, const std::string& now) {
  const std::string name = fmt::format("node-{}", number);
  const std::string subnet = fmt::format("10.244.{}.0/24", number % 256);
  const Json capacity = {
      {"cpu", "64"}, {"ephemeral-storage", "1Ti"}, {"memory", "256Gi"}, {"pods", "10000"}};
  return {
      {"kind", "Node"},
      {"apiVersion", "v1"},
      {"metadata",
       {{"name", name},
        {"labels",
         {{"kubernetes.io/arch", "amd64"},
          {"kubernetes.io/hostname", name},
          {"kubernetes.io/os", "linux"}}}}},
      {"spec", {{"podCIDR", subnet}, {"podCIDRs", Json::array({subnet})}}},
      {"status",
       {{"capacity", capacity},
        {"allocatable", capacity},
        {"conditions", Json::array({condition("MemoryPressure", false, "KubeletHasSufficientMemory",
                                              "kubelet has sufficient memory available", now),
                                    condition("DiskPressure", false, "KubeletHasNoDiskPressure",
                                              "kubelet has no disk pressure", now),
                                    condition("PIDPressure", false, "KubeletHasSufficientPID",
                                              "kubelet has sufficient PID available", now),
                                    condition("Ready", true, "KubeletReady",
                                              "kubelet is posting ready status", now)})},
        {"addresses",
         Json::array({{{"type", "InternalIP"},
                       {"address", fmt::format("10.0.{}.{}", number / 250, 10 + number % 240)}},
                      {{"type", "Hostname"}, {"address", name}}})},
        {"nodeInfo",
         {{"architecture", "amd64"},
          {"operatingSystem", "linux"},
          {"kernelVersion", "6.1"},
          {"osImage", "Sandbox"},
          {"kubeletVersion", "v1.36.3"},
          {"containerRuntimeVersion", "sandbox://1"}}}}}};
}

bool is_sandbox_node(const Json& node) {
  return text(field(node, "status", "nodeInfo", "containerRuntimeVersion")).starts_with(kRuntime);
}

bool has_other_runtime(const Json& node) {
  const bool has_one = !text(field(node, "status", "nodeInfo", "containerRuntimeVersion")).empty();
  return has_one && !is_sandbox_node(node);
}

std::string node_address(const Json& node) {
  for (const Json& each : elements(field(node, "status", "addresses"))) {
    if (text(field(each, "type")) == "InternalIP") return text(field(each, "address"));
  }
  return "";
}

std::string required_node(const Json& pod) {
  const Json& terms = field(pod, "spec", "affinity", "nodeAffinity",
                            "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms");
  for (const Json& term : elements(terms)) {
    for (const Json& rule : elements(field(term, "matchFields"))) {
      const Json& values = elements(field(rule, "values"));
      if (text(field(rule, "key")) == "metadata.name" && !values.empty()) return text(values[0]);
    }
  }
  return "";
}

std::string node_refusal(const Json& pod, const Json& node) {
  const Json cordon = {{"key", "node.kubernetes.io/unschedulable"}, {"effect", "NoSchedule"}};
  if (field(node, "spec", "unschedulable") == Json(true) && !tolerates_taint(pod, cordon)) {
    return "node(s) were unschedulable";
  }
  for (const Json& taint : elements(field(node, "spec", "taints"))) {
    if (!tolerates_taint(pod, taint)) {
      return fmt::format("node(s) had untolerated taint {{{}: {}}}", text(field(taint, "key")),
                         text(field(taint, "value")));
    }
  }
  const std::string wanted = required_node(pod);
  if (!has_members(field(node, "metadata", "labels"), field(pod, "spec", "nodeSelector")) ||
      (!wanted.empty() && name_of(node) != wanted)) {
    return "node(s) didn't match Pod's node affinity/selector";
  }
  return "";
}

}  // namespace kinf::sandbox
