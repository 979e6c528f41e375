// SPDX-License-Identifier: Apache-2.0
// JSON documents that keep the order of members, because a server returns objects with their
// members in the order in which they were sent. Used only in the sandbox.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "kinf/kubernetes/json_fields.h"

namespace kinf::sandbox {

using Json = nlohmann::ordered_json;

/// Parses a document. Returns nullopt if it is not valid JSON or nests deeper than 200 levels,
/// because documents are processed recursively.
std::optional<Json> parse_json(std::string_view text);
/// Returns why parse_json() rejected `text`, with the line of a syntax error.
std::string json_problem(std::string_view text);

/// Returns compact JSON. Bytes that are not UTF-8 become U+FFFD.
std::string to_text(const Json& json);

using fields::elements;
using fields::field;
using fields::integer_or;
using fields::text;

// These functions return a member of the object's metadata. An object may lack the member or the
// metadata.
std::string name_of(const Json& object);
std::string uid_of(const Json& object);
const Json& owners_of(const Json& object);

/// Returns the value at a dotted path such as `.spec.replicas` (the first dot is optional), or
/// null.
const Json& at_path(const Json& json, std::string_view path);

/// Returns `json[key]`. If it is not an object, replaces it with an empty object first.
Json& object_at(Json& json, std::string_view key);

/// Returns `json[key]`. If it is not an array, replaces it with an empty array first.
Json& array_at(Json& json, std::string_view key);
/// Returns whether the documents are equal, apart from the order of members. Copies nothing.
bool is_same(const Json& one, const Json& other);

/// Returns whether `object` has all these members, with the same values.
bool has_members(const Json& object, const Json& members);

/// Moves the named members to the front, in the order of `keys`.
void move_to_front(Json& object, std::initializer_list<const char*> keys);

}  // namespace kinf::sandbox
