// SPDX-License-Identifier: Apache-2.0
// The JSON trees of the sandbox: in the order in which they were written, since a server hands
// back what it was given. For the room sandbox only.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace kinf::sandbox {

using Json = nlohmann::ordered_json;

/// Empty for text that is no JSON, or nested deeper than any API object is (a tree is walked by
/// recursion later on).
std::optional<Json> parse_json(std::string_view text);
/// Why parse_json() refused `text`, with the line.
std::string json_problem(std::string_view text);

/// Compact text; bytes that are no UTF-8 are replaced.
std::string to_text(const Json& json);

/// `json[key]`, or null.
const Json& field(const Json& json, std::string_view key);

template <class... Keys>
const Json& field(const Json& json, std::string_view key, Keys... keys) {
  return field(field(json, key), keys...);
}

/// What a dotted path such as `.spec.replicas` leads to (the first dot may be left out), or null.
const Json& at_path(const Json& json, std::string_view path);

/// A string, or empty.
std::string text(const Json& json);

/// `json` if it is an array, else an empty array.
const Json& elements(const Json& json);

/// Makes `json[key]` an object if it is not, and returns it.
Json& object_at(Json& json, std::string_view key);

/// Puts the members named first, in that order, before the others.
void move_to_front(Json& object, std::initializer_list<const char*> keys);

}  // namespace kinf::sandbox
