// SPDX-License-Identifier: Apache-2.0
// One function per kind that has columns of its own. Each returns the cells of an object of that
// kind, in the order of the columns in columns.cc. For columns.cc and tests; others call
// table_cells().
//
// Like all of this room they are pure, never fail and may be called from any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "kinf/api/table_columns.h"
#include "kinf/base/clock.h"

namespace kinf::columns {

/// Ages are counted up to `now`.
using CellsFunction = nlohmann::json (*)(const nlohmann::json& object, Clock::Wall now);

// pod_columns.cc
nlohmann::json pod_cells(const nlohmann::json& object, Clock::Wall now);

// workload_columns.cc: the kinds that make pods
nlohmann::json deployment_cells(const nlohmann::json& object, Clock::Wall now);
nlohmann::json replica_set_cells(const nlohmann::json& object, Clock::Wall now);
nlohmann::json daemon_set_cells(const nlohmann::json& object, Clock::Wall now);
nlohmann::json stateful_set_cells(const nlohmann::json& object, Clock::Wall now);
nlohmann::json job_cells(const nlohmann::json& object, Clock::Wall now);

// cluster_columns.cc
nlohmann::json namespace_cells(const nlohmann::json& object, Clock::Wall now);
nlohmann::json service_cells(const nlohmann::json& object, Clock::Wall now);
nlohmann::json node_cells(const nlohmann::json& object, Clock::Wall now);
nlohmann::json config_map_cells(const nlohmann::json& object, Clock::Wall now);

}  // namespace kinf::columns
