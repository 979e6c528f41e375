// SPDX-License-Identifier: Apache-2.0
// The few fields that an API server fills in by itself and that people look at.
#pragma once

#include "kinf/sandbox/api/api_types.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

/// Fills in the spec of a new object.
void default_spec(const ApiType& type, Json& object);
/// Gives a new object the status that the server starts it with.
void initial_status(const ApiType& type, Json& object, const std::string& now);
/// Whether changes of the spec are counted in metadata.generation.
bool counts_generation(const ApiType& type);

/// Empty if `name` can be the name of such an object, else what is wrong with it.
std::string name_problem(const ApiType& type, const std::string& name);

}  // namespace kinf::sandbox
