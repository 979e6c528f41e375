// SPDX-License-Identifier: Apache-2.0
// Pages of a list: selects their objects and creates the continue tokens.
#pragma once

#include <vector>

#include "kinf/sandbox/api/list_request.h"
#include "kinf/sandbox/api/object_filter.h"
#include "kinf/sandbox/api/response_form.h"
#include "kinf/sandbox/store/resource_store.h"

namespace kinf::sandbox {

struct Page {
  std::vector<StoredPtr> objects;
  ListMetadata metadata;
};

/// Returns one page. Fails with 410 if the history of the requested version was dropped, and with
/// 504 if the version does not exist yet.
ApiResult<Page> list_page(const ResourceStore& store, const ApiType& type,
                          const ListRequest& request, const ObjectFilter& filter);

/// Returns the 410 error for an expired continue token. It includes a new token for the rest of the
/// list at the current version.
ApiStatus expired_token(const ContinueToken& token);

}  // namespace kinf::sandbox
