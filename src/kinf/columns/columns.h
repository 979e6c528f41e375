// SPDX-License-Identifier: Apache-2.0
// Computes the columns and cells of kubectl's tables, as a real API server does for a Table
// (kubernetes/pkg/printers/internalversion). The sandbox serves these cells, and kinf prints them
// for streams of JSON. For other sources, kinf prints the cells that the server sent.
//
// Pure functions: they use no clock, no locks and no I/O. They never fail: a field that is missing
// or has the wrong type counts as empty.
// Threads: every call from any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "kinf/api/object.h"
#include "kinf/base/clock.h"

namespace kinf {

/// Returns the columns of a kind, including those that only `-o wide` shows (priority above 0).
/// Unknown kinds have the columns Name and Age. The reference stays valid until the program ends.
const TableColumns& table_columns(std::string_view api_version, std::string_view kind);

/// Returns the cells of `object`, an array with one element per column of
/// table_columns(apiVersion, kind). An element is a string or an integer. An object without
/// `apiVersion` and `kind` gets the two cells of an unknown kind. Ages are relative to `now`.
nlohmann::json table_cells(const nlohmann::json& object, Clock::Wall now);

/// Returns the conditions of the object's row in a Table: for a pod that has ended
/// `[{"type":"Completed","status":"True","reason":PHASE}]`, otherwise an empty array.
nlohmann::json row_conditions(const nlohmann::json& object);

}  // namespace kinf
