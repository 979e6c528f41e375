// SPDX-License-Identifier: Apache-2.0
// JSON documents that keep the order of members, because a server returns objects as they were
// sent. Used only in the sandbox.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace kinf::sandbox {

using Json = nlohmann::ordered_json;

/// Parses a document. Returns nullopt if it is not valid JSON or nests deeper than 200 levels,
/// because documents are processed recursively.
std::optional<Json> parse_json(std::string_view text);
/// Returns why parse_json() rejected `text`, with the line of a syntax error.
std::string json_problem(std::string_view text);

/// Returns compact JSON. Bytes that are not UTF-8 become U+FFFD.
std::string to_text(const Json& json);

/// Returns `json[key]`, or null if there is no such member.
const Json& field(const Json& json, std::string_view key);

template <class... Keys>
const Json& field(const Json& json, std::string_view key, Keys... keys) {
  return field(field(json, key), keys...);
}

/// Returns the value at a dotted path such as `.spec.replicas` (the first dot is optional), or
/// null.
const Json& at_path(const Json& json, std::string_view path);

/// Returns the string, or an empty string if `json` is not a string.
std::string text(const Json& json);

/// Returns the integer in `json`, or `otherwise` if it is not an integer.
std::int64_t integer_or(const Json& json, std::int64_t otherwise);

/// Returns `json` if it is an array, otherwise an empty array.
const Json& elements(const Json& json);

/// Returns `json[key]`. If it is not an object, replaces it with an empty object first.
Json& object_at(Json& json, std::string_view key);

/// Moves the named members to the front, in the order of `keys`.
void move_to_front(Json& object, std::initializer_list<const char*> keys);

}  // namespace kinf::sandbox
