// SPDX-License-Identifier: Apache-2.0
// Subresources with a form of their own: scale, binding, eviction. Logs, exec and others that need
// a container are refused.
#pragma once

#include "kinf/sandbox/api/http_responses.h"
#include "kinf/sandbox/api/object_service.h"
#include "kinf/sandbox/api/resource_path.h"

namespace kinf::sandbox {

/// Answers a request for a subresource other than status. 404 for an unknown one.
HttpResponse subresource_response(ObjectService& objects, const HttpRequest& request,
                                  const ResourcePath& path);

}  // namespace kinf::sandbox
