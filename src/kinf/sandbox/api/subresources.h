// SPDX-License-Identifier: Apache-2.0
// Subresources that differ in form from their object: scale, binding and eviction. Rejects those
// that need a container, such as log and exec.
#pragma once

#include "kinf/sandbox/api/http_responses.h"
#include "kinf/sandbox/api/object_service.h"
#include "kinf/sandbox/api/resource_path.h"

namespace kinf::sandbox {

/// Answers a request for a subresource other than status. Returns 404 if it is unknown.
HttpResponse subresource_response(ObjectService& objects, const HttpRequest& request,
                                  const ResourcePath& path);

}  // namespace kinf::sandbox
