// SPDX-License-Identifier: Apache-2.0
// How the sandbox refuses: meta/v1 Status in the words of the real API server.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "kinf/api/api_status.h"
#include "kinf/api/group_version_resource.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

/// A value, or the Status that the client gets instead.
template <class T>
using ApiResult = std::expected<T, ApiStatus>;

Json status_json(const ApiStatus& status);

ApiStatus bad_request(std::string message);
ApiStatus unauthorized();
/// Of a path that belongs to no resource.
ApiStatus no_such_resource();
ApiStatus not_found(const GroupVersionResource& gvr, std::string_view name);
ApiStatus already_exists(const GroupVersionResource& gvr, std::string_view name);
ApiStatus method_not_allowed();
/// A write that was based on another resourceVersion than the stored one.
ApiStatus modified_meanwhile(const GroupVersionResource& gvr, std::string_view name);
/// A precondition of the write does not hold.
ApiStatus conflict(const GroupVersionResource& gvr, std::string_view name, std::string why);
/// `causes` say what is wrong with an object, or with the options of a request.
ApiStatus invalid(std::string_view group, std::string_view kind, std::string_view name,
                  std::vector<ApiStatus::Cause> causes);
ApiStatus unsupported_media_type(std::string_view accepted);
/// A JSON patch that does not fit its object.
ApiStatus unprocessable_patch();
/// A JSON patch of more than `most` operations.
ApiStatus too_large_patch(std::size_t operations, std::size_t most);
ApiStatus too_large_version(std::uint64_t asked, std::uint64_t current);
ApiStatus expired(std::string message);
/// What the access rules refuse.
ApiStatus forbidden(const GroupVersionResource& gvr, std::string_view verb, std::string_view ns);
/// A new object in a namespace that is being deleted.
ApiStatus namespace_terminating(const GroupVersionResource& gvr, std::string_view name,
                                std::string_view ns);
/// Nothing in the Accept header is on offer.
ApiStatus not_acceptable();
/// The server has no time for this request now.
ApiStatus too_many_requests(std::chrono::seconds retry_after);
/// A failure that says nothing about the request, with the reason that goes with `code`.
ApiStatus server_error(int code);

}  // namespace kinf::sandbox
