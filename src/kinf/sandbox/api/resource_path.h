// SPDX-License-Identifier: Apache-2.0
// Parses paths of objects: /api/v1/namespaces/NS/pods/NAME/status and similar.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/sandbox/api/api_types.h"

namespace kinf::sandbox {

struct ResourcePath {
  ApiTypePtr type;
  std::string ns;  ///< empty: cluster-scoped, or all namespaces
  std::string name;
  std::string subresource;
};

/// Splits a path at its slashes. Empty parts are left out.
std::vector<std::string> split_path(std::string_view path);

/// What a path below /api or /apis refers to.
struct ResolvedPath {
  bool has_group = false;  ///< its group version is served
  std::optional<ResourcePath> resource;
};
ResolvedPath resolve_path(const ApiTypes& types, std::string_view path);

}  // namespace kinf::sandbox
