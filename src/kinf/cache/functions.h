// SPDX-License-Identifier: Apache-2.0
// Functions that a user passes to a cache: how objects are keyed, indexed and transformed. They
// must be pure: the same object gives the same result. What they throw becomes an Error.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/base/error.h"

namespace kinf {

/// The key under which an object is stored. Empty function: Object::key().
using KeyFunction = std::function<Result<std::string>(const Object&)>;

/// The values under which an object is found in one index; none: it is not in that index.
using IndexFunction = std::function<Result<std::vector<std::string>>(const Object&)>;

/// Index functions by index name.
using Indexers = std::map<std::string, IndexFunction>;

/// Replaces an object before it is stored. Must be idempotent, because it may get its own result
/// again. Must not return null.
using Transform = std::function<Result<ObjectPtr>(const ObjectPtr&)>;

/// Calls `function`; its failure reads `couldn't create key for object KEY: …` (client-go's
/// KeyError).
Result<std::string> key_of(const KeyFunction& function, const Object& object);

Result<std::vector<std::string>> index_values(const IndexFunction& function, const Object& object);

/// `object` itself if `function` is empty.
Result<ObjectPtr> transformed(const Transform& function, ObjectPtr object);

/// The index by namespace, which every informer has under the name kNamespaceIndex. The value of
/// cluster-scoped objects is empty.
inline constexpr const char* kNamespaceIndex = "namespace";
Result<std::vector<std::string>> namespace_index_function(const Object& object);

}  // namespace kinf
