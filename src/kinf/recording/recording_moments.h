// SPDX-License-Identifier: Apache-2.0
// Finds moments in a recording by time.
#pragma once

#include <cstdint>

#include "kinf/recording/database.h"

namespace kinf {

/// Returns the `seq` of the last version that arrived at `time` (nanoseconds since 1970) or before;
/// 0 if there is none. Assumes that versions are in the order of their times, apart from a few
/// milliseconds.
Result<std::int64_t> last_version_at(Database& database, std::int64_t time);

}  // namespace kinf
