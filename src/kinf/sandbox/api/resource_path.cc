// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/resource_path.h"

namespace kinf::sandbox {

std::vector<std::string> split_path(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    if (slash != 0) parts.emplace_back(path.substr(0, slash));
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash + 1);
  }
  return parts;
}

ResolvedPath resolve_path(const ApiTypes& types, std::string_view path) {
  ResolvedPath result;
  std::vector<std::string> parts = split_path(path);
  if (parts.empty() || (parts[0] != "api" && parts[0] != "apis")) return result;
  const std::size_t head = parts[0] == "api" ? 2 : 3;
  if (parts.size() <= head) return result;
  const std::string group = parts[0] == "api" ? "" : parts[1];
  const std::string version = parts[head - 1];
  result.has_group = types.has_group_version(group, version);
  parts.erase(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(head));

  ResourcePath found;
  // `namespaces/NS` is a namespace. `namespaces/NS/…` is inside it, unless it is a subresource.
  const bool is_inside = parts[0] == "namespaces" && parts.size() >= 3 &&
                         !(parts.size() == 3 && (parts[2] == "status" || parts[2] == "finalize"));
  if (is_inside) {
    found.ns = parts[1];
    parts.erase(parts.begin(), parts.begin() + 2);
  }
  if (parts.size() > 3) return result;
  found.type = types.find(group, version, parts[0]);
  if (found.type == nullptr || (is_inside && !found.type->namespaced)) return result;
  if (parts.size() > 1) found.name = parts[1];
  if (parts.size() > 2) found.subresource = parts[2];
  if (!found.name.empty() && found.ns.empty() && found.type->namespaced) return result;
  result.resource = std::move(found);
  return result;
}

}  // namespace kinf::sandbox
