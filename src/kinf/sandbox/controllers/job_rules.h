// SPDX-License-Identifier: Apache-2.0
// The rules of Jobs, as pure functions: which pods have failed, how many pods to run, when a Job
// has ended, and the indexes of the pods of an Indexed Job. Source: kubernetes pkg/controller/job
// (job_controller.go, backoff_utils.go, pod_failure_policy.go, indexed_job_utils.go).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/sandbox/store/ordered_json.h"
#include "kinf/sandbox/store/resource_store.h"

namespace kinf::sandbox {

/// The finalizer of pods that their Job has not counted yet.
constexpr const char* kJobTracking = "batch.kubernetes.io/job-tracking";

/// The number of a Job's pods in each state, including pods that its status does not count yet.
struct JobCount {
  std::int64_t active = 0;
  std::int64_t terminating = 0;
  std::int64_t succeeded = 0;
  std::int64_t failed = 0;
};

/// Why a Job ends. The status of the Job first gets the condition interim(), later final().
struct JobEnd {
  bool is_success = false;
  std::string reason;
  std::string message;

  const char* interim() const { return is_success ? "SuccessCriteriaMet" : "FailureTarget"; }
  const char* final() const { return is_success ? "Complete" : "Failed"; }
};

/// Returns whether the Job has the condition Complete or Failed.
bool is_finished_job(const Json& job);
bool is_suspended_job(const Json& job);
/// Returns whether a pod is replaced only after it has failed, not while it is being deleted.
bool replaces_only_failed(const Json& job);
bool counts_as_failed(const Json& job, const Json& pod);

/// Returns why the Job ends: for the reason that its conditions already announce, or because pods
/// have failed. Returns nullopt if the Job continues.
std::optional<JobEnd> failure_of(const Json& job, const std::vector<StoredPtr>& pods,
                                 const JobCount& count);
/// Returns why the Job ends if enough pods have succeeded, otherwise nullopt.
std::optional<JobEnd> success_of(const Json& job, const JobCount& count);

/// Returns the number of pods that should be active.
std::int64_t wanted_active(const Json& job, const JobCount& count);
/// Returns the time from the last failure of a pod to the next pod: 10 s, doubled with each failure
/// after the last success, at most 10 minutes. Returns 0 if there was no failure.
std::chrono::seconds job_back_off(int failures);

/// Sets a condition of a Job. Unlike conditions of other kinds, it has a lastProbeTime. Returns
/// false if nothing has changed.
bool set_job_condition(Json& status, const char* type, bool holds, const std::string& reason,
                       const std::string& message, const std::string& now);

struct FailureVerdict {
  bool counts = true;        ///< whether the failure counts towards backoffLimit
  std::string message = {};  ///< why the Job fails; empty if the Job continues
};

/// Applies the podFailurePolicy to a pod that has failed. The first matching rule decides. The
/// action FailIndex is handled like Count, because the sandbox has no back-off limit per index.
FailureVerdict failure_verdict(const Json& job, const Json& pod);

using JobIndexes = std::set<std::int64_t>;

bool is_indexed_job(const Json& job);
/// Returns the completion index of the pod. Returns nullopt if the pod has none or the Job has no
/// such index.
std::optional<std::int64_t> job_index_of(const Json& job, const Json& pod);

/// Parses a text such as `0,2-4`. Ignores indexes that the Job does not have, and parts that cannot
/// be parsed.
JobIndexes parse_job_indexes(const Json& job, std::string_view text);
std::string job_indexes_text(const JobIndexes& indexes);
/// Returns the first `count` indexes of the Job that are not in `taken`.
std::vector<std::int64_t> free_job_indexes(const Json& job, const JobIndexes& taken,
                                           std::int64_t count);

/// Writes an index into the name, labels, annotations and environment of a new pod of the Job.
void set_job_index(const Json& job, Json& pod, std::int64_t index);

}  // namespace kinf::sandbox
