// SPDX-License-Identifier: Apache-2.0
// Sets the default spec of pods, and of the objects that have a pod template.
// Source: kubernetes pkg/apis (core, apps and batch: defaults.go), pkg/registry/batch/job.
#pragma once

#include "kinf/sandbox/api/api_types.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

/// Sets `object[key]` unless it exists.
void set_default(Json& object, const char* key, Json value);

void default_pod_spec(Json& spec);

/// Returns true for built-in types with a pod template, such as Deployments and CronJobs.
bool is_workload(const ApiType& type);
void default_workload_spec(const ApiType& type, Json& spec);

/// Counts the templates of a DaemonSet in an annotation. `before`: its earlier state; null: it is
/// new.
void count_templates(Json& daemon_set, const Json& before);

/// Gives a new Job the selector and the labels that make its pods distinct, unless it has a
/// selector. The Job needs a name and a uid.
void generate_job_selector(Json& job);

}  // namespace kinf::sandbox
