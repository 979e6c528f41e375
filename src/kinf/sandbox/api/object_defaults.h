// SPDX-License-Identifier: Apache-2.0
// Sets the default spec and initial status of objects and validates their names, as an API server
// does.
#pragma once

#include <string>

#include "kinf/sandbox/api/api_types.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

/// Replaces the members that are only for input: the `stringData` of a Secret becomes `data`.
void replace_input_members(const ApiType& type, Json& object);
/// Sets the defaults in an object's spec.
void default_spec(const ApiType& type, Json& object);
/// Sets the initial status of a new object. `now` is an RFC 3339 timestamp.
void initial_status(const ApiType& type, Json& object, const std::string& now);
/// Sets the fields that depend on other parts of the object. `before` is its earlier state, or null
/// for a new object, which must have its name and uid. A new Job without a selector gets a selector
/// and labels, so that it selects only its own pods. A DaemonSet counts the changes of its pod
/// template in an annotation. A Service gets or keeps an address inside the cluster, which follows
/// from its name.
void complete_object(const ApiType& type, Json& object, const Json& before);

/// Returns whether metadata.generation counts the changes of the spec.
bool counts_generation(const ApiType& type);

/// Returns why `name` is invalid for the type, or an empty string.
std::string name_problem(const ApiType& type, const std::string& name);

}  // namespace kinf::sandbox
