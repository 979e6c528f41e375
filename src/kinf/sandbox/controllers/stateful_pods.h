// SPDX-License-Identifier: Apache-2.0
// The pods and claims of StatefulSets, as pure functions.
// Source: kubernetes pkg/controller/statefulset/stateful_set_utils.go.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

/// Returns the number in the name of a pod of the set, such as 2 for `web-2`.
std::optional<std::int64_t> ordinal_of(const Json& set, const Json& pod);

/// Returns the new pod of a set with this number. `revision` is the name of the ControllerRevision
/// that `pod_template` is from.
Json stateful_pod(const Json& set, const Json& pod_template, const std::string& revision,
                  std::int64_t ordinal);
/// Returns the PersistentVolumeClaims of the pod with this number.
std::vector<Json> stateful_claims(const Json& set, std::int64_t ordinal);

/// Returns the first number of the set's pods.
std::int64_t first_ordinal(const Json& set);
/// Returns the number of pods that keep the previous template in an update.
std::int64_t update_partition(const Json& set);

}  // namespace kinf::sandbox
