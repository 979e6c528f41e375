// SPDX-License-Identifier: Apache-2.0
// Reads YAML as JSON values: kubeconfigs, the output of credential plugins, manifests, scenarios.
// Only this file uses the YAML library.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"

namespace kinf {

/// The first document of `text`; null if it holds none. JSON is YAML too. Scalars get the types
/// that sigs.k8s.io/yaml (YAML 1.1) gives them: `yes` is a boolean, `12` a number. `<<` merges.
/// Depth, values and bytes are limited; aliases count as if they were written out. Errors: usage.
Result<nlohmann::json> parse_yaml(std::string_view text);

/// All documents of `text`, with null for empty ones. Each may be twenty times as large as above.
Result<std::vector<nlohmann::json>> parse_yaml_documents(std::string_view text);

}  // namespace kinf
