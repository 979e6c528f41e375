// SPDX-License-Identifier: Apache-2.0
// Parses the documents of API discovery, aggregated or not. The functions are pure. They read a
// document once, without recursion, and keep only the types. They fail with ErrorKind::protocol if
// the document is not JSON, its `kind` is not the expected one, it is nested deeper than 16 levels,
// or it contains more than 200,000 types. They ignore members of the wrong JSON type. Threads: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/client/discovery.h"

namespace kinf {

/// Parses an APIResourceList (`/api/v1`, `/apis/apps/v1`). Omits subresources.
Result<std::vector<ApiResource>> parse_resource_list(std::string_view json,
                                                     const std::string& group,
                                                     const std::string& version);

struct GroupVersion {
  std::string group;
  std::string version;
};

/// The response to `/apis`.
struct ApiGroups {
  bool is_aggregated = false;
  /// If aggregated: the types of all versions of all groups, in the server's order.
  std::vector<ApiResource> resources;
  /// If not aggregated: the group versions, the preferred one of each group first.
  std::vector<GroupVersion> versions;
};
/// Parses the response to `/apis`: an APIGroupDiscoveryList, which is aggregated, or an
/// APIGroupList.
Result<ApiGroups> parse_groups(std::string_view json);

}  // namespace kinf
