// SPDX-License-Identifier: Apache-2.0
// Paths and queries of the API: what stands behind the server's address in a request.
#pragma once

#include <string>
#include <string_view>

#include "kinf/api/group_version_resource.h"
#include "kinf/api/list_options.h"
#include "kinf/base/error.h"

namespace kinf {

/// `/api/v1` or `/apis/GROUP/VERSION`.
Result<std::string> group_version_path(std::string_view group, std::string_view version);

/// `/api/v1/[namespaces/NS/]RESOURCE[/NAME]`, `/apis/GROUP/VERSION/…`; an empty `ns` means all
/// namespaces or a cluster-scoped type. A usage error for parts that a path cannot carry: empty,
/// `.`, `..`, with `/` or `%` (client-go: IsValidPathSegmentName).
Result<std::string> resource_path(const GroupVersionResource& gvr, std::string_view ns,
                                  std::string_view name = {});

/// The parameters, sorted by name, percent-encoded, without the leading `?`; what is empty is left
/// out. As client-go's dynamic client: no `timeout` beside `timeoutSeconds`. `include_object` is
/// for Tables: `Metadata` or `Object`.
std::string list_query(const ListOptions& options, std::string_view include_object = {});
std::string watch_query(const ListOptions& options, std::string_view include_object = {});

/// Percent-encodes all but RFC 3986's unreserved characters.
std::string percent_encode(std::string_view text);

}  // namespace kinf
