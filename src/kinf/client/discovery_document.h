// SPDX-License-Identifier: Apache-2.0
// The documents of API discovery, old and new, as lists of types. Pure parsing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/client/discovery.h"

namespace kinf {

/// An APIResourceList (`/api/v1`, `/apis/apps/v1`), without subresources.
Result<std::vector<ApiResource>> parse_resource_list(std::string_view json,
                                                     const std::string& group,
                                                     const std::string& version);

/// An APIGroupDiscoveryList, every version of every group in the server's order.
Result<std::vector<ApiResource>> parse_aggregated(std::string_view json);

/// The group versions of an APIGroupList, the preferred one of each group first.
struct GroupVersion {
  std::string group;
  std::string version;
};
Result<std::vector<GroupVersion>> parse_group_list(std::string_view json);

/// The document's `kind`; empty if it has none or is no JSON.
std::string kind_of_document(std::string_view json);

}  // namespace kinf
