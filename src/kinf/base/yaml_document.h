// SPDX-License-Identifier: Apache-2.0
// YAML texts as JSON values, for what people or programs hand us: kubeconfigs, the output of
// credential plugins, manifests, scenarios. The one place that knows the YAML library.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"

namespace kinf {

/// The first document of `text`; null if it holds none. JSON is YAML too. Scalars get the types
/// that sigs.k8s.io/yaml (YAML 1.1) gives them: `yes` is a boolean, `12` a number. `<<` merges.
/// Depth, values and bytes are bounded, aliases counted as if written out. Errors: usage.
Result<nlohmann::json> parse_yaml(std::string_view text);

/// All documents of `text`, with null for those that hold nothing; each may be twenty times as
/// large as the above takes.
Result<std::vector<nlohmann::json>> parse_yaml_documents(std::string_view text);

}  // namespace kinf
