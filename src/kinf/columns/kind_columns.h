// SPDX-License-Identifier: Apache-2.0
// The kinds with columns of their own, one function each. For columns.cc only.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "kinf/api/table_columns.h"
#include "kinf/base/clock.h"

namespace kinf::columns {

using CellsFunction = nlohmann::json (*)(const nlohmann::json& object, Clock::Wall now);

nlohmann::json pod_cells(const nlohmann::json& object, Clock::Wall now);
nlohmann::json deployment_cells(const nlohmann::json& object, Clock::Wall now);
nlohmann::json replica_set_cells(const nlohmann::json& object, Clock::Wall now);
nlohmann::json daemon_set_cells(const nlohmann::json& object, Clock::Wall now);
nlohmann::json stateful_set_cells(const nlohmann::json& object, Clock::Wall now);
nlohmann::json job_cells(const nlohmann::json& object, Clock::Wall now);
nlohmann::json namespace_cells(const nlohmann::json& object, Clock::Wall now);
nlohmann::json service_cells(const nlohmann::json& object, Clock::Wall now);
nlohmann::json node_cells(const nlohmann::json& object, Clock::Wall now);
nlohmann::json config_map_cells(const nlohmann::json& object, Clock::Wall now);

}  // namespace kinf::columns
