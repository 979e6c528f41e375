// SPDX-License-Identifier: Apache-2.0
// Columns and cells of the types that the sandbox serves, custom ones included.
#pragma once

#include <string>

#include "kinf/base/clock.h"
#include "kinf/sandbox/api/api_types.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

/// The columnDefinitions of a Table.
Json column_definitions(const ApiType& type);

/// The members `cells` and, where there are any, `conditions` of a row.
Json table_row(const ApiType& type, const Json& object, Clock::Wall now);

}  // namespace kinf::sandbox
