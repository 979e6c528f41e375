// SPDX-License-Identifier: Apache-2.0
// Functions that a user passes to a cache to key, index and transform objects. They must be pure:
// return the same result for the same object. Exceptions become Errors.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/base/error.h"

namespace [[gnu::visibility("default")]] kinf {

// Behaviour: selects kinf's own guarantees or the exact behaviour of client-go.

/// Each class whose behaviour differs documents the difference. src/README.md has the full list.
enum class Behaviour {
  strict,     ///< kinf's guarantees: no lost or invented changes, no partial writes
  client_go,  ///< the behaviour of client-go 0.37; tests compare it with recorded output
};

/// Returns the key under which an object is stored. If the function is empty, the key is
/// Object::key().
using KeyFunction = std::function<Result<std::string>(const Object&)>;

/// Returns the values of an object in one index. If the result is empty, the object is not in that
/// index.
using IndexFunction = std::function<Result<std::vector<std::string>>(const Object&)>;

/// Index functions by index name.
using Indexers = std::map<std::string, IndexFunction>;

/// Replaces an object before it is stored. Must be idempotent, because it may get its own result
/// again. Must not return null.
using Transform = std::function<Result<ObjectPtr>(const ObjectPtr&)>;

/// Calls `function`. The message of its error becomes `couldn't create key for object KEY: …`
/// (client-go: KeyError).
Result<std::string> key_of(const KeyFunction& function, const Object& object);

Result<std::vector<std::string>> index_values(const IndexFunction& function, const Object& object);

/// Returns the result of `function`, or `object` itself if `function` is empty.
Result<ObjectPtr> transformed(const Transform& function, ObjectPtr object);

/// The name of the index by namespace, which every informer has. Cluster-scoped objects have the
/// value "" in it.
inline constexpr const char* kNamespaceIndex = "namespace";
Result<std::vector<std::string>> namespace_index_function(const Object& object);

}  // namespace kinf
