// SPDX-License-Identifier: Apache-2.0
// Parses YAML to JSON values: kubeconfigs, the output of credential plugins, manifests, scenarios.
// Nothing else uses the YAML library.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"

namespace kinf {

/// Returns the first document of `text`; null if there is none. JSON is YAML too. Scalars get the
/// types that sigs.k8s.io/yaml (YAML 1.1) gives them: `yes` is a boolean, `12` a number. `<<`
/// merges. Depth, values and bytes are limited; aliases count as if written out. Errors: usage.
Result<nlohmann::json> parse_yaml(std::string_view text);

/// Returns all documents of `text`; null for an empty one. Each may have twenty times as many
/// values as one for parse_yaml(). Errors: usage.
Result<std::vector<nlohmann::json>> parse_yaml_documents(std::string_view text);

}  // namespace kinf
