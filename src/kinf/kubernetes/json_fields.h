// SPDX-License-Identifier: Apache-2.0
// Reads fields, which may be absent or have any type, from nlohmann::json and
// nlohmann::ordered_json. A missing field is empty, never an error.
//
// Pure functions. Threads: any. A returned reference points into the argument, or to a constant if
// the field is missing.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace kinf::fields {

/// Returns `json[key]`; null if there is no such member or `json` is not an object.
template <class Json>
const Json& field(const Json& json, std::string_view key) {
  static const Json nothing;
  if (!json.is_object()) return nothing;
  const auto& members = json.template get_ref<const typename Json::object_t&>();
  if constexpr (requires { members.find(key)->second; }) {
    const auto found = members.find(key);
    return found == members.end() ? nothing : found->second;
  }
  for (const auto& [name, value] : members) {  // ordered_json has no index of its members
    if (name == key) return value;
  }
  return nothing;
}

/// Follows several keys: `field(pod, "status", "phase")`.
template <class Json, class... Keys>
const Json& field(const Json& json, std::string_view key, Keys... keys) {
  return field(field(json, key), keys...);
}

/// Returns the string in `json`; empty for any other type.
template <class Json>
std::string text(const Json& json) {
  return json.is_string() ? json.template get<std::string>() : std::string();
}

/// Returns the integer in `json`; `otherwise` for any other type and for numbers with a fraction.
template <class Json>
std::int64_t integer_or(const Json& json, std::int64_t otherwise) {
  return json.is_number_integer() ? json.template get<std::int64_t>() : otherwise;
}

/// Returns `json` if it is an array, otherwise an empty array.
template <class Json>
const Json& elements(const Json& json) {
  static const Json none = Json::array();
  return json.is_array() ? json : none;
}

}  // namespace kinf::fields
