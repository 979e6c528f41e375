// SPDX-License-Identifier: Apache-2.0
// One function per kind with specific columns. Each returns the cells of an object, in the order of
// the columns in columns.cc. Only columns.cc and tests call these functions; other code calls
// table_cells().
//
// Like all functions in kinf/columns, they are pure and never fail. Call them from any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "kinf/base/clock.h"

namespace kinf::columns {

/// Returns the cells of one object. Ages are relative to `now`.
using CellsFunction = nlohmann::json (*)(const nlohmann::json& object, Clock::Wall now);

// pod_columns.cc
nlohmann::json pod_cells(const nlohmann::json& object, Clock::Wall now);

// workload_columns.cc: the kinds that create pods
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

// event_columns.cc
nlohmann::json event_cells(const nlohmann::json& event, Clock::Wall now);

}  // namespace kinf::columns
