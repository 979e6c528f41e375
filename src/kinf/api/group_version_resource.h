// SPDX-License-Identifier: Apache-2.0
// Names of API types: group, version and resource (used in URL paths), and kind (used in objects).
#pragma once

#include <compare>
#include <string>

namespace [[gnu::visibility("default")]] kinf {

struct GroupVersionResource {
  std::string group;  ///< empty for the core group
  std::string version;
  std::string resource;  ///< plural, lower case: `pods`

  /// Returns `v1` or `apps/v1`.
  std::string api_version() const { return group.empty() ? version : group + "/" + version; }
  /// Returns `pods` or `deployments.apps`.
  std::string group_resource() const { return group.empty() ? resource : resource + "." + group; }

  friend auto operator<=>(const GroupVersionResource&, const GroupVersionResource&) = default;
};

/// A resource type, as returned by discovery.
struct ResourceType {
  GroupVersionResource gvr;
  std::string kind;      ///< `Pod`
  std::string singular;  ///< `pod`; if empty, use the kind in lower case
  bool namespaced = true;

  std::string api_version() const { return gvr.api_version(); }

  friend bool operator==(const ResourceType&, const ResourceType&) = default;
};

}  // namespace kinf
