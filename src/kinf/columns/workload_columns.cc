// SPDX-License-Identifier: Apache-2.0
// The cells of the kinds that create pods: deployments, replica sets, daemon sets, stateful sets
// and jobs.
#include <fmt/format.h>

#include "kinf/columns/fields.h"
#include "kinf/columns/human_duration.h"
#include "kinf/columns/kind_columns.h"

namespace kinf::columns {
namespace {

/// Returns one field of each container of the pod template, separated by commas.
std::string of_containers(const Json& object, const char* key) {
  return joined(field(object, "spec", "template", "spec", "containers"), key);
}

/// Returns a count in the status; 0 if it is missing, because controllers omit zero counts.
std::int64_t status_number(const Json& object, const char* key) {
  return number(field(object, "status", key));
}

/// Returns ready and desired pods as `2/3`.
std::string ready_of_desired(const Json& object) {
  return fmt::format("{}/{}", status_number(object, "readyReplicas"),
                     number(field(object, "spec", "replicas")));
}

/// Returns the state of a job. Final states take precedence over a deletion, which takes precedence
/// over other states.
std::string job_status(const Json& job) {
  if (has_condition(job, "Complete")) return "Complete";
  if (has_condition(job, "Failed")) return "Failed";
  if (!field(job, "metadata", "deletionTimestamp").is_null()) return "Terminating";
  if (has_condition(job, "Suspended")) return "Suspended";
  if (has_condition(job, "FailureTarget")) return "FailureTarget";
  if (has_condition(job, "SuccessCriteriaMet")) return "SuccessCriteriaMet";
  return "Running";
}

/// Returns succeeded and required pods as `3/5`. A job without `completions` needs one successful
/// pod.
std::string job_completions(const Json& job) {
  const std::int64_t succeeded = status_number(job, "succeeded");
  const Json& completions = field(job, "spec", "completions");
  if (completions.is_number_integer()) return fmt::format("{}/{}", succeeded, number(completions));
  const std::int64_t parallelism = number(field(job, "spec", "parallelism"));
  if (parallelism > 1) return fmt::format("{}/1 of {}", succeeded, parallelism);
  return fmt::format("{}/1", succeeded);
}

/// Returns the time from the start of the job to its completion, or until now; empty if it has not
/// started.
std::string job_duration(const Json& job, Clock::Wall now) {
  const auto start = time(field(job, "status", "startTime"));
  if (!start) return "";
  return human_age(*start, time(field(job, "status", "completionTime")).value_or(now));
}

}  // namespace

std::optional<std::chrono::seconds> job_seconds(const Json& job, Clock::Wall now) {
  const auto start = time(field(job, "status", "startTime"));
  if (!start) return std::nullopt;
  const auto end = time(field(job, "status", "completionTime")).value_or(now);
  return std::chrono::floor<std::chrono::seconds>(end - *start);
}

Json deployment_cells(const Json& object, Clock::Wall now) {
  return Json::array(
      {name_of(object), ready_of_desired(object), status_number(object, "updatedReplicas"),
       status_number(object, "availableReplicas"), age(object, now), of_containers(object, "name"),
       of_containers(object, "image"), selector_text(field(object, "spec", "selector"))});
}

Json replica_set_cells(const Json& object, Clock::Wall now) {
  return Json::array({name_of(object), number(field(object, "spec", "replicas")),
                      status_number(object, "replicas"), status_number(object, "readyReplicas"),
                      age(object, now), of_containers(object, "name"),
                      of_containers(object, "image"),
                      selector_text(field(object, "spec", "selector"))});
}

Json daemon_set_cells(const Json& object, Clock::Wall now) {
  return Json::array(
      {name_of(object), status_number(object, "desiredNumberScheduled"),
       status_number(object, "currentNumberScheduled"), status_number(object, "numberReady"),
       status_number(object, "updatedNumberScheduled"), status_number(object, "numberAvailable"),
       labels_text(field(object, "spec", "template", "spec", "nodeSelector")), age(object, now),
       of_containers(object, "name"), of_containers(object, "image"),
       selector_text(field(object, "spec", "selector"))});
}

Json stateful_set_cells(const Json& object, Clock::Wall now) {
  return Json::array({name_of(object), ready_of_desired(object), age(object, now),
                      of_containers(object, "name"), of_containers(object, "image")});
}

Json job_cells(const Json& object, Clock::Wall now) {
  return Json::array({name_of(object), job_status(object), job_completions(object),
                      job_duration(object, now), age(object, now), of_containers(object, "name"),
                      of_containers(object, "image"),
                      selector_text(field(object, "spec", "selector"))});
}

Json cron_job_cells(const Json& object, Clock::Wall now) {
  const Json& spec = field(object, "spec");
  const Json& job = field(spec, "jobTemplate", "spec");
  const Json& last = field(object, "status", "lastScheduleTime");
  const Json& suspend = field(spec, "suspend");
  const char* const suspended = is_true(suspend) ? "True" : "False";
  return Json::array({name_of(object), text(field(spec, "schedule")),
                      or_none(text(field(spec, "timeZone"))),
                      suspend.is_boolean() ? suspended : "<unset>",
                      elements(field(object, "status", "active")).size(),
                      last.is_null() ? "<none>" : since(last, now), age(object, now),
                      joined(field(job, "template", "spec", "containers"), "name"),
                      joined(field(job, "template", "spec", "containers"), "image"),
                      selector_text(field(job, "selector"))});
}

}  // namespace kinf::columns
