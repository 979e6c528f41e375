// SPDX-License-Identifier: Apache-2.0
// Errors of the API as meta/v1 Status, with the texts of the real API server (apimachinery
// api/errors).
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "kinf/api/api_status.h"
#include "kinf/api/group_version_resource.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

/// A value, or the Status that the client gets.
template <class T>
using ApiResult = std::expected<T, ApiStatus>;

/// The Status as a JSON document.
Json status_json(const ApiStatus& status);

ApiStatus bad_request(std::string message);
ApiStatus unauthorized();
/// 404 for a path without a resource.
ApiStatus no_such_resource();
ApiStatus not_found(const GroupVersionResource& gvr, std::string_view name);
ApiStatus already_exists(const GroupVersionResource& gvr, std::string_view name);
ApiStatus method_not_allowed();
/// 409 for a write that is based on another resourceVersion than the stored one.
ApiStatus modified_meanwhile(const GroupVersionResource& gvr, std::string_view name);
/// 409 for a precondition that does not hold.
ApiStatus conflict(const GroupVersionResource& gvr, std::string_view name, std::string why);
/// 422 for an invalid object, or invalid options of a request; `causes` say why.
ApiStatus invalid(std::string_view group, std::string_view kind, std::string_view name,
                  std::vector<ApiStatus::Cause> causes);
ApiStatus unsupported_media_type(std::string_view accepted);
/// 422 for a JSON patch that does not fit its object.
ApiStatus unprocessable_patch();
/// 413 for a JSON patch with more than `most` operations.
ApiStatus too_large_patch(std::size_t operations, std::size_t most);
ApiStatus too_large_version(std::uint64_t asked, std::uint64_t current);
ApiStatus expired(std::string message);
/// 403 as RBAC answers.
ApiStatus forbidden(const GroupVersionResource& gvr, std::string_view verb, std::string_view ns);
/// 403 for a new object in a namespace that is being deleted.
ApiStatus namespace_terminating(const GroupVersionResource& gvr, std::string_view name,
                                std::string_view ns);
/// 406: the server has nothing that the Accept header allows.
ApiStatus not_acceptable();
/// 429: the server is overloaded.
ApiStatus too_many_requests(std::chrono::seconds retry_after);
/// An injected error with the reason that belongs to `code`.
ApiStatus server_error(int code);

}  // namespace kinf::sandbox
