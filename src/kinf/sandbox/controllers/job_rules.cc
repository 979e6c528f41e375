// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/job_rules.h"

#include <algorithm>

#include "kinf/sandbox/api/object_condition.h"
#include "kinf/sandbox/api/object_deletion.h"
#include "kinf/sandbox/controllers/job_failure_policy.h"
#include "kinf/sandbox/controllers/owner_loop.h"

namespace kinf::sandbox {
namespace {

bool holds(const Json& job, const char* condition) {
  return field(condition_of(job, condition), "status") == Json("True");
}

/// Returns the restarts of all containers of pods that have not ended.
std::int64_t restarts_of(const std::vector<StoredPtr>& pods) {
  std::int64_t sum = 0;
  for (const StoredPtr& pod : pods) {
    if (has_ended(pod->json)) continue;
    for (const char* list : {"initContainerStatuses", "containerStatuses"}) {
      for (const Json& each : elements(field(pod->json, "status", list))) {
        sum += integer_or(field(each, "restartCount"), 0);
      }
    }
  }
  return sum;
}

JobEnd end_in_status(const Json& job, const char* condition, bool is_success) {
  const Json& found = condition_of(job, condition);
  return {is_success, text(field(found, "reason")), text(field(found, "message"))};
}

}  // namespace

bool is_finished_job(const Json& job) { return holds(job, "Complete") || holds(job, "Failed"); }

bool is_suspended_job(const Json& job) { return field(job, "spec", "suspend") == Json(true); }

bool replaces_only_failed(const Json& job) {
  return text(field(job, "spec", "podReplacementPolicy")) == "Failed";
}

bool counts_as_failed(const Json& job, const Json& pod) {
  const std::string phase = text(field(pod, "status", "phase"));
  if (phase == "Failed") return true;
  return !replaces_only_failed(job) && is_deleting(pod) && phase != "Succeeded";
}

std::optional<JobEnd> failure_of(const Json& job, const std::vector<StoredPtr>& pods,
                                 const JobCount& count) {
  if (holds(job, "SuccessCriteriaMet")) return end_in_status(job, "SuccessCriteriaMet", true);
  if (holds(job, "FailureTarget")) return end_in_status(job, "FailureTarget", false);
  for (const StoredPtr& pod : pods) {
    if (!counts_as_failed(job, pod->json)) continue;
    const FailureVerdict verdict = failure_verdict(job, pod->json);
    if (!verdict.message.empty()) return JobEnd{false, "PodFailurePolicy", verdict.message};
  }
  const Json& spec = field(job, "spec");
  const std::int64_t limit = integer_or(field(spec, "backoffLimit"), 6);
  const bool restarts_in_pod =
      text(field(spec, "template", "spec", "restartPolicy")) == "OnFailure";
  const bool restarts_too_often =
      restarts_in_pod && restarts_of(pods) >= std::max<std::int64_t>(limit, 1);
  if (count.failed <= limit && !restarts_too_often) return std::nullopt;
  return JobEnd{false, "BackoffLimitExceeded", "Job has reached the specified backoff limit"};
}

std::optional<JobEnd> success_of(const Json& job, const JobCount& count) {
  const Json& completions = field(job, "spec", "completions");
  const std::int64_t needed = integer_or(completions, 1);
  if (count.active > 0 || count.succeeded < needed) return std::nullopt;
  return JobEnd{true, "CompletionsReached", "Reached expected number of succeeded pods"};
}

std::int64_t wanted_active(const Json& job, const JobCount& count) {
  if (is_suspended_job(job)) return 0;
  const std::int64_t parallelism = integer_or(field(job, "spec", "parallelism"), 1);
  const Json& completions = field(job, "spec", "completions");
  if (!completions.is_number_integer()) return count.succeeded > 0 ? count.active : parallelism;
  const std::int64_t missing = completions.get<std::int64_t>() - count.succeeded;
  return std::max<std::int64_t>(0, std::min(parallelism, missing));
}

std::chrono::seconds job_back_off(int failures) {
  constexpr int kFirst = 10;
  constexpr int kLongest = 600;
  int pause = failures > 0 ? kFirst : 0;
  for (int i = 1; i < failures && pause < kLongest; ++i) pause *= 2;
  return std::chrono::seconds(std::min(pause, kLongest));
}

bool set_job_condition(Json& status, const char* type, bool holds, const std::string& reason,
                       const std::string& message, const std::string& now) {
  const char* state = holds ? "True" : "False";
  Json& conditions = status["conditions"];
  if (!conditions.is_array()) conditions = Json::array();
  const Json condition = {{"type", type},         {"status", state},
                          {"lastProbeTime", now}, {"lastTransitionTime", now},
                          {"reason", reason},     {"message", message}};
  for (Json& each : conditions) {
    if (text(field(each, "type")) != type) continue;
    if (field(each, "status") == Json(state) && field(each, "reason") == Json(reason) &&
        field(each, "message") == Json(message)) {
      return false;
    }
    each = condition;
    return true;
  }
  if (holds) conditions.push_back(condition);
  if (conditions.empty()) status.erase("conditions");
  return holds;
}

}  // namespace kinf::sandbox
