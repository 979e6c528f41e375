// SPDX-License-Identifier: Apache-2.0
// The defaults of an API server that users see, and its checks of names.
#pragma once

#include "kinf/sandbox/api/api_types.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

/// Sets the defaults in the spec of an object.
void default_spec(const ApiType& type, Json& object);
/// Sets the initial status of a new object. `now` is RFC 3339.
void initial_status(const ApiType& type, Json& object, const std::string& now);
/// Whether metadata.generation counts changes of the spec.
bool counts_generation(const ApiType& type);

/// Returns why `name` is not a valid name for the type, or an empty string.
std::string name_problem(const ApiType& type, const std::string& name);

}  // namespace kinf::sandbox
