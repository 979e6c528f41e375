// SPDX-License-Identifier: Apache-2.0
// Columns and cells of all types, including custom ones. For built-in types they come from the room
// columns.
#pragma once

#include <string>

#include "kinf/base/clock.h"
#include "kinf/sandbox/api/api_types.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

/// Returns the columnDefinitions of a Table.
Json column_definitions(const ApiType& type);

/// Returns a row with `cells` and, if there are any, `conditions`.
Json table_row(const ApiType& type, const Json& object, Clock::Wall now);

}  // namespace kinf::sandbox
