// SPDX-License-Identifier: Apache-2.0
// The cells of namespaces, nodes, services and config maps.
#include <fmt/format.h>

#include <set>
#include <string_view>

#include "kinf/columns/fields.h"
#include "kinf/columns/kind_columns.h"

namespace kinf::columns {
namespace {

/// Returns the EXTERNAL-IP cell, which depends on the type of the service.
std::string external_address(const Json& service, const std::string& type) {
  if (type == "ExternalName") return text(field(service, "spec", "externalName"));
  std::vector<std::string> addresses;
  for (const Json& ip : elements(field(service, "spec", "externalIPs")))
    addresses.push_back(text(ip));
  const std::string fixed = fmt::format("{}", fmt::join(addresses, ","));
  if (type != "LoadBalancer") return or_none(fixed);
  const std::string balancer = balancer_addresses(service);
  if (!balancer.empty()) return fixed.empty() ? balancer : balancer + "," + fixed;
  return fixed.empty() ? "<pending>" : fixed;
}

/// Returns the ports as `80:30080/TCP,53/UDP`: port, node port if any, and protocol.
std::string port_list(const Json& service) {
  std::string result;
  for (const Json& port : elements(field(service, "spec", "ports"))) {
    if (!result.empty()) result += ',';
    result += std::to_string(number(field(port, "port")));
    const std::int64_t node_port = number(field(port, "nodePort"));
    if (node_port > 0) result += fmt::format(":{}", node_port);
    result += "/" + text(field(port, "protocol"));
  }
  return or_none(result);
}

/// Returns `Ready`, `NotReady` or `Unknown`, and `,SchedulingDisabled` for a cordoned node.
std::string node_status(const Json& node) {
  std::string status = "Unknown";
  for (const Json& condition : elements(field(node, "status", "conditions"))) {
    if (text(field(condition, "type")) != "Ready") continue;
    status = text(field(condition, "status")) == "True" ? "Ready" : "NotReady";
  }
  if (is_true(field(node, "spec", "unschedulable"))) status += ",SchedulingDisabled";
  return status;
}

/// Returns the roles of a node, sorted. Two label formats can name a role.
std::string node_roles(const Json& node) {
  constexpr std::string_view kRolePrefix = "node-role.kubernetes.io/";
  std::set<std::string> roles;
  for (const auto& [key, value] : members(field(node, "metadata", "labels"))) {
    if (key.starts_with(kRolePrefix) && key.size() > kRolePrefix.size()) {
      roles.insert(key.substr(kRolePrefix.size()));
    } else if (key == "kubernetes.io/role" && !text(value).empty()) {
      roles.insert(text(value));
    }
  }
  return or_none(fmt::format("{}", fmt::join(roles, ",")));
}

/// Returns the first address of this type, or `<none>`.
std::string node_address(const Json& node, std::string_view type) {
  for (const Json& address : elements(field(node, "status", "addresses"))) {
    if (text(field(address, "type")) == type) return text(field(address, "address"));
  }
  return "<none>";
}

/// Returns a field of status.nodeInfo, which the kubelet reports when it starts.
std::string node_info(const Json& node, const char* key) {
  const std::string value = text(field(node, "status", "nodeInfo", key));
  return value.empty() ? "<unknown>" : value;
}

}  // namespace

// The cells of each kind, in the order of its columns in columns.cc.
Json namespace_cells(const Json& object, Clock::Wall now) {
  return Json::array({name_of(object), text(field(object, "status", "phase")), age(object, now)});
}

Json service_cells(const Json& object, Clock::Wall now) {
  const std::string type = text(field(object, "spec", "type"));
  const auto& ips = elements(field(object, "spec", "clusterIPs"));
  std::string ip = ips.empty() ? text(field(object, "spec", "clusterIP")) : text(ips.front());
  return Json::array({name_of(object), type, or_none(ip), external_address(object, type),
                      port_list(object), age(object, now),
                      labels_text(field(object, "spec", "selector"))});
}

Json node_cells(const Json& object, Clock::Wall now) {
  return Json::array({name_of(object), node_status(object), node_roles(object), age(object, now),
                      text(field(object, "status", "nodeInfo", "kubeletVersion")),
                      node_address(object, "InternalIP"), node_address(object, "ExternalIP"),
                      node_info(object, "osImage"), node_info(object, "kernelVersion"),
                      node_info(object, "containerRuntimeVersion")});
}

Json config_map_cells(const Json& object, Clock::Wall now) {
  const std::size_t count =
      members(field(object, "data")).size() + members(field(object, "binaryData")).size();
  return Json::array({name_of(object), count, age(object, now)});
}

}  // namespace kinf::columns
