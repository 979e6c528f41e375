// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/job_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kinf/base/ascii.h"
#include "kinf/base/limits.h"
#include "kinf/sandbox/api/object_condition.h"
#include "kinf/sandbox/api/object_deletion.h"
#include "kinf/sandbox/controllers/owner_loop.h"

namespace kinf::sandbox {
namespace {

/// Returns the number of container restarts in all pods that have not ended.
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

bool has_code(const Json& rule, const Json& container) {
  const Json& code = field(container, "state", "terminated", "exitCode");
  const std::string wanted = text(field(rule, "containerName"));
  if (!code.is_number_integer() || code == Json(0)) return false;
  if (!wanted.empty() && field(container, "name") != Json(wanted)) return false;
  const bool is_listed = std::ranges::count(elements(field(rule, "values")), code) > 0;
  return is_listed == (text(field(rule, "operator")) == "In");
}

/// Returns the start of the message about the first container of the pod whose exit code matches
/// the rule. Empty if no exit code matches.
std::string code_match(const Json& rule, const Json& pod, const std::string& name) {
  for (const char* list : {"containerStatuses", "initContainerStatuses"}) {
    for (const Json& each : elements(field(pod, "status", list))) {
      if (!has_code(rule, each)) continue;
      return fmt::format("Container {} for pod {} failed with exit code {}",
                         text(field(each, "name")), name,
                         field(each, "state", "terminated", "exitCode").dump());
    }
  }
  return "";
}

/// Returns the start of the message about the first condition of the pod that matches one of
/// `patterns`. Empty if no condition matches.
std::string condition_match(const Json& patterns, const Json& pod, const std::string& name) {
  for (const Json& each : elements(field(pod, "status", "conditions"))) {
    for (const Json& pattern : elements(patterns)) {
      const Json& status = field(pattern, "status");
      const bool has_status = field(each, "status") == (status.is_null() ? Json("True") : status);
      if (!has_status || field(each, "type") != field(pattern, "type")) continue;
      return fmt::format("Pod {} has condition {}", name, text(field(each, "type")));
    }
  }
  return "";
}

constexpr const char* kIndexKey = "batch.kubernetes.io/job-completion-index";
constexpr const char* kIndexVariable = "JOB_COMPLETION_INDEX";

std::int64_t completions_of(const Json& job) {
  return std::clamp<std::int64_t>(integer_or(field(job, "spec", "completions"), 0), 0,
                                  limits::kJobIndexes);
}

void add_variable(Json& container) {
  if (!container.is_object()) return;
  Json variables = elements(field(container, "env"));
  for (const Json& each : variables) {
    if (text(field(each, "name")) == kIndexVariable) return;
  }
  const std::string path = fmt::format("metadata.labels['{}']", kIndexKey);
  variables.push_back({{"name", kIndexVariable},
                       {"valueFrom", {{"fieldRef", {{"apiVersion", "v1"}, {"fieldPath", path}}}}}});
  container["env"] = std::move(variables);
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
  constexpr int kLast = 600;
  int pause = failures > 0 ? kFirst : 0;
  for (int i = 1; i < failures && pause < kLast; ++i) pause *= 2;
  return std::chrono::seconds(std::min(pause, kLast));
}

bool set_job_condition(Json& status, const char* type, bool holds, const std::string& reason,
                       const std::string& message, const std::string& now) {
  Json& conditions = array_at(status, "conditions");
  const Json condition = {{"type", type},         {"status", holds ? "True" : "False"},
                          {"lastProbeTime", now}, {"lastTransitionTime", now},
                          {"reason", reason},     {"message", message}};
  if (Json* const old = find_condition(conditions, type)) {
    const bool is_same =
        std::ranges::all_of(std::array{"status", "reason", "message"},
                            [&](const char* key) { return field(*old, key) == condition[key]; });
    if (!is_same) *old = condition;
    return !is_same;
  }
  if (holds) conditions.push_back(condition);
  if (conditions.empty()) status.erase("conditions");
  return holds;
}

FailureVerdict failure_verdict(const Json& job, const Json& pod) {
  const std::string name = text(field(pod, "metadata", "namespace")) + "/" + name_of(pod);
  int index = 0;
  for (const Json& rule : elements(field(job, "spec", "podFailurePolicy", "rules"))) {
    const Json& codes = field(rule, "onExitCodes");
    const std::string match = codes.is_null()
                                  ? condition_match(field(rule, "onPodConditions"), pod, name)
                                  : code_match(codes, pod, name);
    const std::string action = text(field(rule, "action"));
    if (!match.empty()) {
      if (action != "FailJob") return {.counts = action != "Ignore"};
      return {.message = fmt::format("{} matching FailJob rule at index {}", match, index)};
    }
    ++index;
  }
  return {};
}

bool is_indexed_job(const Json& job) {
  return text(field(job, "spec", "completionMode")) == "Indexed";
}

std::optional<std::int64_t> job_index_of(const Json& job, const Json& pod) {
  const auto index =
      parse_number<std::int64_t>(text(field(pod, "metadata", "annotations", kIndexKey)));
  if (!index || *index < 0 || *index >= completions_of(job)) return std::nullopt;
  return index;
}

JobIndexes parse_job_indexes(const Json& job, std::string_view text) {
  JobIndexes result;
  const std::int64_t last_one = completions_of(job) - 1;
  while (!text.empty()) {
    const std::string_view range = take_until(text, ",");
    const std::size_t hyphen = range.find('-');
    const auto first = parse_number<std::int64_t>(range.substr(0, hyphen));
    const auto last =
        hyphen == range.npos ? first : parse_number<std::int64_t>(range.substr(hyphen + 1));
    if (!first || !last || *first < 0) continue;
    for (std::int64_t i = *first; i <= std::min(*last, last_one); ++i) result.insert(i);
  }
  return result;
}

std::string job_indexes_text(const JobIndexes& indexes) {
  std::string result;
  for (auto each = indexes.begin(); each != indexes.end();) {
    const std::int64_t first = *each;
    std::int64_t last = first;
    for (++each; each != indexes.end() && *each == last + 1; ++each) last = *each;
    if (!result.empty()) result += ',';
    result += std::to_string(first);
    if (last > first) result += (last == first + 1 ? ',' : '-') + std::to_string(last);
  }
  return result;
}

std::vector<std::int64_t> free_job_indexes(const Json& job, const JobIndexes& taken,
                                           std::int64_t count) {
  std::vector<std::int64_t> result;
  for (std::int64_t i = 0; i < completions_of(job) && std::ssize(result) < count; ++i) {
    if (!taken.contains(i)) result.push_back(i);
  }
  return result;
}

void set_job_index(const Json& job, Json& pod, std::int64_t index) {
  const std::string number = std::to_string(index);
  const std::string host = name_of(job) + "-" + number;
  Json& metadata = object_at(pod, "metadata");
  metadata["generateName"] = host + "-";
  object_at(metadata, "labels")[kIndexKey] = number;
  object_at(metadata, "annotations")[kIndexKey] = number;
  Json& spec = object_at(pod, "spec");
  spec["hostname"] = host;
  for (const char* list : {"initContainers", "containers"}) {
    if (!spec.contains(list) || !spec[list].is_array()) continue;
    for (Json& container : spec[list]) add_variable(container);
  }
}

}  // namespace kinf::sandbox
