// SPDX-License-Identifier: Apache-2.0
// One function per kind with specific columns. Each returns the cells of an object, in the order of
// the columns in columns.cc. Only columns.cc and tests call these functions; other code calls
// table_cells(). The functions below them return the times behind the cells, for aged_cells.cc.
//
// Like all functions in kinf/columns, they are pure and never fail. Call them from any thread.
#pragma once

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <optional>

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
/// Returns how long a Job has run; nullopt if it has not started.
std::optional<std::chrono::seconds> job_seconds(const nlohmann::json& job, Clock::Wall now);
nlohmann::json cron_job_cells(const nlohmann::json& object, Clock::Wall now);

// cluster_columns.cc
nlohmann::json namespace_cells(const nlohmann::json& object, Clock::Wall now);
nlohmann::json service_cells(const nlohmann::json& object, Clock::Wall now);
nlohmann::json node_cells(const nlohmann::json& object, Clock::Wall now);
nlohmann::json config_map_cells(const nlohmann::json& object, Clock::Wall now);

// claim_columns.cc: volumes, and what traffic reaches
nlohmann::json claim_cells(const nlohmann::json& object, Clock::Wall now);
nlohmann::json volume_cells(const nlohmann::json& object, Clock::Wall now);
nlohmann::json storage_class_cells(const nlohmann::json& object, Clock::Wall now);
nlohmann::json ingress_cells(const nlohmann::json& object, Clock::Wall now);
nlohmann::json endpoints_cells(const nlohmann::json& object, Clock::Wall now);

// config_columns.cc: what configures other objects
nlohmann::json secret_cells(const nlohmann::json& object, Clock::Wall now);
nlohmann::json lease_cells(const nlohmann::json& object, Clock::Wall now);
nlohmann::json resource_quota_cells(const nlohmann::json& object, Clock::Wall now);
nlohmann::json role_binding_cells(const nlohmann::json& object, Clock::Wall now);
nlohmann::json priority_class_cells(const nlohmann::json& object, Clock::Wall now);
nlohmann::json disruption_budget_cells(const nlohmann::json& object, Clock::Wall now);
nlohmann::json autoscaler_cells(const nlohmann::json& object, Clock::Wall now);
nlohmann::json scale_cells(const nlohmann::json& object, Clock::Wall now);
/// Returns the cells of a kind that has no columns of its own in an API server.
nlohmann::json dated_cells(const nlohmann::json& object, Clock::Wall now);

// event_columns.cc
nlohmann::json event_cells(const nlohmann::json& event, Clock::Wall now);
/// Returns the time at which an Event was seen last or, if `last` is false, first.
const nlohmann::json& event_time(const nlohmann::json& event, bool last);

}  // namespace kinf::columns
