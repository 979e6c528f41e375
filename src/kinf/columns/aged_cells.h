// SPDX-License-Identifier: Apache-2.0
// Cells that change with time although their object does not: ages, such as `5m`, and cells that
// contain one, such as `2 (5m ago)`.
//
// Pure functions that never fail. Threads: every call from any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "kinf/api/object.h"
#include "kinf/base/clock.h"

namespace kinf {

/// Returns whether the column shows the time since creation: whether it is called Age and is not a
/// custom column whose description names a path other than `.metadata.creationTimestamp`.
bool shows_creation_age(const TableColumn& column);

/// Returns whether a row with these columns shows the time since something other than the creation.
/// That applies to Events, Jobs, CronJobs, custom columns of the type `date`, and pods whose
/// `cells` (the text of a JSON array) say when they were restarted. Such cells cannot be computed
/// without the object's document.
bool shows_other_ages(std::string_view api_version, std::string_view kind,
                      const TableColumns& columns, std::string_view cells);

/// Returns the cell as the server prints it at `now`; nullopt if it does not depend on time, or if
/// `object` does not have the field.
std::optional<std::string> aged_cell(const nlohmann::json& object, const TableColumn& column,
                                     Clock::Wall now);

/// Returns such a cell as data: instead of an age the time from which it counts, as the object has
/// it; a duration in seconds until `now`; restarts without their age. Returns nullopt if the cell
/// does not depend on time, or if `object` does not have the field.
std::optional<std::string> timed_cell(const nlohmann::json& object, const TableColumn& column,
                                      Clock::Wall now);

/// Returns `cell` without the age at its end, as in `2 (5m ago)`.
std::string without_age(std::string cell);

}  // namespace kinf
