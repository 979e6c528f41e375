// SPDX-License-Identifier: Apache-2.0
// One page of a list: which state of the store it shows, where it begins and how it goes on.
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

/// 410 for a state that is forgotten, 504 for one that is yet to come.
ApiResult<Page> list_page(const ResourceStore& store, const ApiType& type,
                          const ListRequest& request, const ObjectFilter& filter);

/// The refusal of a continue token whose state is forgotten, with one for an inconsistent rest.
ApiStatus expired_token(const ContinueToken& token);

}  // namespace kinf::sandbox
