// SPDX-License-Identifier: Apache-2.0
// Pods for the micro-benchmarks: the same ones in every run, of the size real ones have.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kinf/api/object.h"

namespace kinf::bench {

/// The JSON of pod `number`, about 7 KB of it, 40 % of that managedFields; six labels.
std::string pod_json(std::size_t number, std::size_t version = 1);
/// What the decoder makes of `count` of them.
std::vector<ObjectPtr> decoded_pods(std::size_t count);

}  // namespace kinf::bench
