// SPDX-License-Identifier: Apache-2.0
// Reads values from objects, with a single query or with an index function. Pure functions.
// Threads: any.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/base/error.h"

namespace kinf {

/// Returns the values that a JSONPath finds in the object's document: strings without quotes,
/// objects and lists as JSON. Omits nulls; a missing field has no values. Accepts kubectl's syntax;
/// the braces and the leading dot may be omitted: `.spec.containers[*].image`. Parses the path in
/// each call; use index_function() for many objects. Errors: usage, for a wrong path.
Result<std::vector<std::string>> values(const Object& object, std::string_view path);

/// Returns a function for InformerOptions::indexers. `key` has the format of `kinf index --by`: a
/// label (`app`), `annotation:KEY`, a JSONPath (`.spec.nodeName`), or one of `@namespace @node
/// @owner @image @phase @ip @sa @secret @configmap @pvc`. Errors: usage, for an invalid key and for
/// `@root`, which needs the caches of several types.
Result<std::function<Result<std::vector<std::string>>(const Object&)>> index_function(
    std::string_view key);

}  // namespace kinf
