// SPDX-License-Identifier: Apache-2.0
// kubectl's columns per kind: from one object to the cells of its row, as the API server computes
// them for a Table. Pure functions; the time of printing is handed in.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "kinf/api/table_columns.h"
#include "kinf/base/clock.h"

namespace kinf {

/// The columns of a kind, those of `-o wide` included; Name and Age for kinds without their own.
const TableColumns& table_columns(std::string_view api_version, std::string_view kind);

/// The cells of `object`, in the order of its kind's columns: strings, integers, or null for an
/// empty cell. Its apiVersion and kind must be set. Any JSON is taken; what is missing shows as
/// empty or `<none>`, as kubectl does it.
nlohmann::json table_cells(const nlohmann::json& object, Clock::Wall now);

/// The conditions of its row: that a pod has finished; an array, mostly empty.
nlohmann::json row_conditions(const nlohmann::json& object);

}  // namespace kinf
