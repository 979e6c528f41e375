// SPDX-License-Identifier: Apache-2.0
// Parses YAML to JSON values: kubeconfigs, the output of credential plugins, manifests, scenarios.
// No other file uses the YAML library.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"

namespace kinf {

/// Returns the first document of `text`; null if there is none. Also parses JSON, which is valid
/// YAML. Scalars have the same types as in sigs.k8s.io/yaml (YAML 1.1): `yes` is a boolean, `12` a
/// number. Supports `<<` (merge). Limits the depth, the number of values and the bytes. Each alias
/// counts as a copy of its value. Errors: usage.
Result<nlohmann::json> parse_yaml(std::string_view text);

/// Returns all documents of `text`; an empty document is null. The limit on values is 20 times that
/// of parse_yaml(). Errors: usage.
Result<std::vector<nlohmann::json>> parse_yaml_documents(std::string_view text);

}  // namespace kinf
