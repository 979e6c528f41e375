// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/job_failure_policy.h"

#include <fmt/format.h>

#include <algorithm>

namespace kinf::sandbox {
namespace {

bool has_code(const Json& rule, const Json& container) {
  const Json& code = field(container, "state", "terminated", "exitCode");
  const std::string wanted = text(field(rule, "containerName"));
  if (!code.is_number_integer() || code == Json(0)) return false;
  if (!wanted.empty() && field(container, "name") != Json(wanted)) return false;
  const bool is_listed = std::ranges::count(elements(field(rule, "values")), code) > 0;
  return is_listed == (text(field(rule, "operator")) == "In");
}

/// Returns the start of the message about a pod with an exit code of the rule, or an empty string.
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

/// Returns the start of the message about a pod with a condition of the rule, or an empty string.
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

}  // namespace

FailureVerdict failure_verdict(const Json& job, const Json& pod) {
  const std::string name =
      text(field(pod, "metadata", "namespace")) + "/" + text(field(pod, "metadata", "name"));
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

}  // namespace kinf::sandbox
