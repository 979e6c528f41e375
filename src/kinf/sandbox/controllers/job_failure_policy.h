// SPDX-License-Identifier: Apache-2.0
// The podFailurePolicy of a Job: what the failure of a pod means for its Job. The action FailIndex
// counts like Count, because indexes of a Job have no back-off limit of their own here.
// Source: kubernetes pkg/controller/job/pod_failure_policy.go.
#pragma once

#include <string>

#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

struct FailureVerdict {
  bool counts = true;        ///< towards backoffLimit
  std::string message = {};  ///< why the Job fails; empty: it goes on
};

/// Returns what the first rule that matches says of a pod that has failed.
FailureVerdict failure_verdict(const Json& job, const Json& pod);

}  // namespace kinf::sandbox
