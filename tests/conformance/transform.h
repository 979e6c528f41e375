// SPDX-License-Identifier: Apache-2.0
// The transform of the vectors: appends a text to the resourceVersion, so that each application
// shows; may fail on a label.
#pragma once

#include <functional>

#include "conformance/fields.h"
#include "kinf/api/object.h"
#include "kinf/base/error.h"

namespace kinf::conformance {

/// From the config key `transform`; an empty function for null or an absent key.
std::function<Result<ObjectPtr>(const ObjectPtr&)> transform_from(const Json* config);

}  // namespace kinf::conformance
