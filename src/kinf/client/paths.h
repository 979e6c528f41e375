// SPDX-License-Identifier: Apache-2.0
// Builds the paths and query strings of API requests.
#pragma once

#include <string>
#include <string_view>

#include "kinf/api/group_version_resource.h"
#include "kinf/api/lister_watcher.h"
#include "kinf/base/error.h"

namespace kinf {

/// Returns `/api/v1` or `/apis/GROUP/VERSION`. Errors: usage, for parts that a path cannot contain.
Result<std::string> group_version_path(std::string_view group, std::string_view version);

/// Returns `/api/v1/[namespaces/NS/]RESOURCE[/NAME]` or `/apis/GROUP/VERSION/…`. An empty `ns`
/// means all namespaces or a cluster-scoped type. Errors: usage, for parts that a path cannot
/// contain: empty, `.`, `..`, with `/` or `%` (client-go: IsValidPathSegmentName).
Result<std::string> resource_path(const GroupVersionResource& gvr, std::string_view ns,
                                  std::string_view name = {});

/// Return the query string of a list or watch, without the leading `?`. Parameters are sorted by
/// name and percent-encoded. Empty options are omitted. As in client-go's dynamic client, the only
/// timeout parameter is `timeoutSeconds`. `include_object` applies to Tables: `Metadata` or
/// `Object`.
std::string list_query(const ListOptions& options, std::string_view include_object = {});
std::string watch_query(const ListOptions& options, std::string_view include_object = {});

/// The Accept header for a list of which only the metadata is read.
inline constexpr std::string_view kMetadataListTypes =
    "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

/// Percent-encodes every byte except letters, digits and `marks`; by default, these are RFC 3986's
/// unreserved characters.
std::string percent_encode(std::string_view text, std::string_view marks = "-._~");

}  // namespace kinf
