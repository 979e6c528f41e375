// SPDX-License-Identifier: Apache-2.0
// kubectl's table of each kind: the columns, and the cells of one object. These are the columns
// that a real API server computes for a Table (kubernetes/pkg/printers/internalversion); the
// sandbox answers with them. A client does not need them: it prints the cells that the server sent.
//
// Pure functions: no clock, no locks, no I/O. The caller passes the time. They never fail: an
// object may have any shape, and a field that is missing or of the wrong type counts as empty.
// Threads: every call from any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "kinf/api/table_columns.h"
#include "kinf/base/clock.h"

namespace kinf {

/// Returns the columns of a kind, including those only `-o wide` shows (priority above 0). Kinds
/// not known here have Name and Age. The reference is valid forever, and the same for each call.
const TableColumns& table_columns(std::string_view api_version, std::string_view kind);

/// Returns the cells of `object`, an array with one element per column of
/// table_columns(apiVersion, kind). An element is a string or an integer. The object must have
/// `apiVersion` and `kind`; without them it has the two cells of an unknown kind. Ages are counted
/// up to `now`.
nlohmann::json table_cells(const nlohmann::json& object, Clock::Wall now);

/// Returns the conditions of the object's row in a Table: for a pod that has ended
/// `[{"type":"Completed","status":"True","reason":PHASE}]`, otherwise an empty array.
nlohmann::json row_conditions(const nlohmann::json& object);

}  // namespace kinf
