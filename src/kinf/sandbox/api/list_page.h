// SPDX-License-Identifier: Apache-2.0
// A page of a list: chooses the state of the store, the first object and the continue token.
#pragma once

#include <vector>

#include "kinf/sandbox/api/list_request.h"
#include "kinf/sandbox/api/object_filter.h"
#include "kinf/sandbox/api/representation.h"
#include "kinf/sandbox/store/resource_store.h"

namespace kinf::sandbox {

struct Page {
  std::vector<StoredPtr> objects;
  ListMetadata metadata;
};

/// Returns a page. 410 for a version whose history was dropped, 504 for one that does not exist
/// yet.
ApiResult<Page> list_page(const ResourceStore& store, const ApiType& type,
                          const ListRequest& request, const ObjectFilter& filter);

/// The 410 for an expired continue token. It has a token for the rest of the list, at the current
/// version.
ApiStatus expired_token(const ContinueToken& token);

}  // namespace kinf::sandbox
