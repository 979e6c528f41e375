// SPDX-License-Identifier: Apache-2.0
// The path of a request about objects: /api/v1/namespaces/NS/pods/NAME/status and its kin.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/sandbox/api/api_types.h"

namespace kinf::sandbox {

struct ResourcePath {
  ApiTypePtr type;
  std::string ns;  ///< empty: of the cluster, or of all namespaces
  std::string name;
  std::string subresource;
};

/// The parts of a path between its slashes.
std::vector<std::string> split_path(std::string_view path);

/// Where a path below /api or /apis leads.
struct ResolvedPath {
  bool has_group = false;  ///< its group and version are served
  std::optional<ResourcePath> resource;
};
ResolvedPath resolve_path(const ApiTypes& types, std::string_view path);

}  // namespace kinf::sandbox
