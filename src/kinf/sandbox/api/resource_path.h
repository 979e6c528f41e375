// SPDX-License-Identifier: Apache-2.0
// Parses the paths of objects, such as /api/v1/namespaces/NS/pods/NAME/status.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/sandbox/api/api_types.h"

namespace kinf::sandbox {

struct ResourcePath {
  ApiTypePtr type;
  std::string ns;  ///< empty: the object is cluster-scoped, or the path means all namespaces
  std::string name;
  std::string subresource;
};

/// Splits a path at its slashes. Omits empty parts.
std::vector<std::string> split_path(std::string_view path);

/// The meaning of a path below /api or /apis.
struct ResolvedPath {
  bool has_group = false;                ///< whether the group version in the path is served
  std::optional<ResourcePath> resource;  ///< empty: the path names no served resource
};
ResolvedPath resolve_path(const ApiTypes& types, std::string_view path);

}  // namespace kinf::sandbox
