// SPDX-License-Identifier: Apache-2.0
// Parses the documents of API discovery, aggregated or not. Pure functions.
// Threads: any. They fail with ErrorKind::protocol if the document is not JSON or its `kind` is not
// the expected one. They ignore members of the wrong type.
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

/// Parses an APIGroupDiscoveryList. Returns all versions of all groups, in the server's order.
Result<std::vector<ApiResource>> parse_aggregated(std::string_view json);

struct GroupVersion {
  std::string group;
  std::string version;
};
/// Parses an APIGroupList. Returns its group versions, the preferred one of each group first.
Result<std::vector<GroupVersion>> parse_group_list(std::string_view json);

/// Returns the document's `kind`; empty if there is none, or if the document is not JSON.
std::string kind_of_document(std::string_view json);

}  // namespace kinf
