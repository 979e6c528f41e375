// SPDX-License-Identifier: Apache-2.0
// Functions that create HTTP responses and read requests.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "kinf/base/error.h"
#include "kinf/http/http_message.h"
#include "kinf/sandbox/api/api_errors.h"
#include "kinf/sandbox/api/managed_fields.h"

namespace kinf::sandbox {

HttpResponse json_response(int code, const Json& json);
HttpResponse text_response(int code, std::string body);
HttpResponse status_response(const ApiStatus& status);
/// Returns a Status for success. It contains `details`, or `code` if `details` is null.
HttpResponse success_response(int code, Json details = nullptr);

/// Returns whether the request has `dryRun=All`.
inline bool is_dry_run(const HttpRequest& request) { return request.parameter("dryRun") == "All"; }

/// Returns the field manager of a write: the parameter fieldManager if it is set, otherwise the
/// program name in the User-Agent.
FieldManager manager_of(const HttpRequest& request, const std::string& subresource);

/// Reads the object in the body from JSON or protobuf. Fails with 415 for other media types and 400
/// if the body is not an object.
ApiResult<Json> body_object(const HttpRequest& request);

/// Answers `POST /sandbox/fault?spec=…`. Returns nullopt for any other path.
std::optional<HttpResponse> fault_endpoint(
    const HttpRequest& request, const std::function<Result<void>(std::string_view spec)>& inject);

/// An entry of an Accept header. Its type is JSON; its parameters can select another
/// representation, such as a Table.
struct MediaType {
  std::string as;  ///< `Table`, `PartialObjectMetadata`, `APIGroupDiscoveryList`; empty: plain JSON
  std::string group;
  std::string version;
  bool drop_managed_fields = false;  ///< set by `drop=metadata.managedFields` (KEP-5958)
};

/// Returns the first entry that the server supports, or nullopt if there is none. An empty header
/// accepts anything.
std::optional<MediaType> choose_media_type(std::string_view accept);

/// Returns `content_type` without its parameters.
std::string bare_media_type(std::string_view content_type);

}  // namespace kinf::sandbox
