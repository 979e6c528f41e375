// SPDX-License-Identifier: Apache-2.0
// JSON values as Go's fmt and encoding/json write them, which is what kubectl's JSONPath prints.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace kinf {

/// Returns a value as %v does: strings without quotes, maps as map[k:v], lists as [a b], null as
/// <nil>.
std::string go_text(const nlohmann::json& value);
/// Returns a value as json.Marshal does, or as json.MarshalIndent with four spaces: keys are
/// sorted, < > & escaped.
std::string go_json(const nlohmann::json& value, bool indented = false);
/// Returns the type that Go's decoder chooses: string, int64, []interface {}, …
std::string go_type(const nlohmann::json& value);

}  // namespace kinf
