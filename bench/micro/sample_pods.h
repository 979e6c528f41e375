// SPDX-License-Identifier: Apache-2.0
// Pods of realistic size for the micro-benchmarks, the same in every run.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kinf/api/object.h"

namespace kinf::bench {

/// Returns the JSON of pod `number`: about 7 KB, 40 % of it managedFields, six labels.
std::string pod_json(std::size_t number, std::size_t version = 1);
/// Returns `count` decoded pods.
std::vector<ObjectPtr> decoded_pods(std::size_t count);

}  // namespace kinf::bench
