// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/sandbox_node.h"

#include <fmt/format.h>

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

}  // namespace kinf::sandbox
