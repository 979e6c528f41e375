// SPDX-License-Identifier: Apache-2.0
// Answers requests for subresources whose form differs from that of their object: scale, binding
// and eviction. Rejects requests for subresources that need a running container, such as log and
// exec.
#pragma once

#include <stop_token>

#include "kinf/sandbox/api/api_types.h"
#include "kinf/sandbox/api/http_responses.h"
#include "kinf/sandbox/api/object_service.h"

namespace kinf::sandbox {

/// Answers a request for a subresource other than status. Returns 404 if the subresource is
/// unknown. When `stop` is requested, a patch that takes a long time ends with 503.
HttpResponse subresource_response(ObjectService& objects, const HttpRequest& request,
                                  const ResourcePath& path, const std::stop_token& stop = {});

}  // namespace kinf::sandbox
