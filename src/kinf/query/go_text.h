// SPDX-License-Identifier: Apache-2.0
// JSON values as Go's fmt and encoding/json would write them: what users of kubectl's JSONPath see.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace kinf {

/// As %v: strings bare, maps as map[k:v], lists as [a b], null as <nil>.
std::string go_text(const nlohmann::json& value);
/// As json.Marshal, or json.MarshalIndent with four blanks: keys sorted, < > & escaped.
std::string go_json(const nlohmann::json& value, bool indented = false);
/// The name of the type that Go's decoder would choose: string, int64, []interface {}, …
std::string go_type(const nlohmann::json& value);

}  // namespace kinf
