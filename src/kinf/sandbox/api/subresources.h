// SPDX-License-Identifier: Apache-2.0
// The parts of objects that have a form of their own: scales, bindings and evictions; and what only
// a container could answer, which the sandbox refuses: logs, exec and the like.
#pragma once

#include "kinf/sandbox/api/http_responses.h"
#include "kinf/sandbox/api/object_service.h"
#include "kinf/sandbox/api/resource_path.h"

namespace kinf::sandbox {

/// The response to a request for a subresource other than status; 404 for one that is not known.
HttpResponse subresource_response(ObjectService& objects, const HttpRequest& request,
                                  const ResourcePath& path);

}  // namespace kinf::sandbox
