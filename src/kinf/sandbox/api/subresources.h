// SPDX-License-Identifier: Apache-2.0
// Subresources that differ in form from their object: scale, binding and eviction. Rejects those
// that need a container, such as log and exec.
#pragma once

#include <stop_token>

#include "kinf/sandbox/api/api_types.h"
#include "kinf/sandbox/api/http_responses.h"
#include "kinf/sandbox/api/object_service.h"

namespace kinf::sandbox {

/// Answers a request for a subresource other than status. Returns 404 if it is unknown.
/// When `stop` is requested, a patch that takes long ends with 503.
HttpResponse subresource_response(ObjectService& objects, const HttpRequest& request,
                                  const ResourcePath& path, const std::stop_token& stop = {});

}  // namespace kinf::sandbox
