// SPDX-License-Identifier: Apache-2.0
// API errors as Status objects (meta/v1), with the messages of the real API server (apimachinery
// api/errors).
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "kinf/api/api_status.h"
#include "kinf/api/group_version_resource.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

/// A value, or the Status to send to the client.
template <class T>
using ApiResult = std::expected<T, ApiStatus>;

/// Returns the Status as JSON.
Json status_json(const ApiStatus& status);

ApiStatus bad_request(std::string message);
ApiStatus unauthorized();
/// Returns 404 for a path that names no resource.
ApiStatus no_such_resource();
ApiStatus not_found(const GroupVersionResource& gvr, std::string_view name);
ApiStatus already_exists(const GroupVersionResource& gvr, std::string_view name);
ApiStatus method_not_allowed();
/// Returns 409 for a write that is based on an outdated resourceVersion.
ApiStatus modified_meanwhile(const GroupVersionResource& gvr, std::string_view name);
/// Returns 507 for a write that cannot be saved.
ApiStatus insufficient_storage();
/// Returns 409 for a precondition that does not hold.
ApiStatus conflict(const GroupVersionResource& gvr, std::string_view name, std::string why);
/// Returns 422 for an invalid object or invalid request options. `causes` are the reasons.
ApiStatus invalid(std::string_view group, std::string_view kind, std::string_view name,
                  std::vector<ApiStatus::Cause> causes);
ApiStatus unsupported_media_type(std::string_view accepted);
/// Returns 422 for a JSON patch that cannot be applied to its object.
ApiStatus unprocessable_patch();
/// Returns 413 for a JSON patch with more than `most` operations.
ApiStatus too_large_patch(std::size_t operations, std::size_t most);
/// Returns 504 for a resourceVersion that does not exist yet.
ApiStatus too_large_version(std::uint64_t asked, std::uint64_t current);
ApiStatus expired(std::string message);
/// Returns 403 with the message of RBAC.
ApiStatus forbidden(const GroupVersionResource& gvr, std::string_view verb, std::string_view ns);
/// Returns 403 for a write to a server whose objects are read-only. An empty name means all
/// objects.
ApiStatus read_only(const GroupVersionResource& gvr, std::string_view name);
/// Returns 403 for the creation of an object in a namespace that is being deleted.
ApiStatus namespace_terminating(const GroupVersionResource& gvr, std::string_view name,
                                std::string_view ns);
/// Returns 406 for an Accept header without a supported media type.
ApiStatus not_acceptable();
/// Returns 429 for an overloaded server.
ApiStatus too_many_requests(std::chrono::seconds retry_after);
/// Returns an injected error with HTTP status `code` and the reason that belongs to this status.
ApiStatus server_error(int code);

}  // namespace kinf::sandbox
