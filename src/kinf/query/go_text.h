// SPDX-License-Identifier: Apache-2.0
// Formats JSON values like Go's fmt and encoding/json, which kubectl uses to print the values that
// a JSONPath finds.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace kinf {

/// Formats a value like %v: strings without quotes, maps as map[k:v], lists as [a b], null as
/// <nil>.
std::string go_text(const nlohmann::json& value);
/// Formats a value like json.Marshal, or if `indented` like json.MarshalIndent with four spaces.
/// Sorts keys and escapes <, > and &.
std::string go_json(const nlohmann::json& value, bool indented = false);
/// Returns the Go type of the decoded value, such as `string`, `int64` or `[]interface {}`.
std::string go_type(const nlohmann::json& value);

}  // namespace kinf
