// SPDX-License-Identifier: Apache-2.0
// Parses the documents of API discovery, old and new. Pure functions, to be called from any thread.
// Their errors are of kind protocol: the document is not JSON, or of another kind. Members of the
// wrong type are skipped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/client/discovery.h"

namespace kinf {

/// Reads an APIResourceList (`/api/v1`, `/apis/apps/v1`), without subresources.
Result<std::vector<ApiResource>> parse_resource_list(std::string_view json,
                                                     const std::string& group,
                                                     const std::string& version);

/// Reads an APIGroupDiscoveryList: every version of every group, in the server's order.
Result<std::vector<ApiResource>> parse_aggregated(std::string_view json);

struct GroupVersion {
  std::string group;
  std::string version;
};
/// Reads an APIGroupList: its group versions, the preferred one of each group first.
Result<std::vector<GroupVersion>> parse_group_list(std::string_view json);

/// Returns the document's `kind`; empty if it has none or is not JSON.
std::string kind_of_document(std::string_view json);

}  // namespace kinf
