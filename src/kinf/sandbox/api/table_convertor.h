// SPDX-License-Identifier: Apache-2.0
// The Table columns and cells of all types, including custom types. Those of built-in types are
// defined in kinf/columns; those of recorded types are in the recording.
#pragma once

#include <string>

#include "kinf/base/clock.h"
#include "kinf/sandbox/api/api_types.h"
#include "kinf/sandbox/store/resource_store.h"

namespace kinf::sandbox {

/// Returns the columnDefinitions of a Table.
Json column_definitions(const ApiType& type);

/// Returns a row with `cells` and, if there are any, `conditions`. The cells of a recorded row are
/// those that its server sent, with the ages at `now`.
Json table_row(const ApiType& type, const StoredObject& object, Clock::Wall now);

}  // namespace kinf::sandbox
