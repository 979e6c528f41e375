// SPDX-License-Identifier: Apache-2.0
// Reads fields of an object that may be absent or of any type, and formats the parts that several
// kinds share. A missing field reads as empty and is never an error: kubectl prints a row for every
// object. For this room, and for the custom columns of the sandbox.
//
// Pure functions. Threads: every call from any thread. A returned reference points into the
// argument, or to a constant if there is nothing to point to.
#pragma once

#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "kinf/base/clock.h"

namespace kinf::columns {

using Json = nlohmann::json;

/// Returns `json[key]`; null if there is no such member or `json` is not an object.
const Json& field(const Json& json, const char* key);

/// Follows several keys: `field(pod, "status", "phase")`.
template <class... Keys>
const Json& field(const Json& json, const char* key, Keys... keys) {
  return field(field(json, key), keys...);
}

/// Returns a string; empty for any other type.
std::string text(const Json& json);
/// Returns an integer; 0 for any other type, and for numbers with a fraction.
std::int64_t number(const Json& json);
/// Returns true only for the boolean `true`.
bool is_true(const Json& json);
/// Returns the elements of an array; none for any other type.
const Json::array_t& items(const Json& json);
/// Returns the members of an object, sorted by key; none for any other type.
const Json::object_t& members(const Json& json);

/// Returns the text of one field of each element of an array, separated by commas. An element
/// without the field has an empty text, but keeps its place.
std::string joined(const Json& list, const char* key);
/// Whether `status.conditions` of the object has a condition of this type whose status is `True`.
bool has_condition(const Json& object, std::string_view type);

/// Returns `text`, or `<none>` if it is empty.
std::string or_none(std::string text);
/// Reads a time in RFC 3339, without its fraction; nullopt for anything else. Years outside the
/// clock's range give its first or last moment.
std::optional<Clock::Wall> time(const Json& json);
/// Returns how long ago `timestamp` was, as in AGE; `<unknown>` if it is not a time.
std::string since(const Json& timestamp, Clock::Wall now);
/// Returns the cell NAME: `metadata.name`.
std::string name_of(const Json& object);
/// Returns the cell AGE: the time since `metadata.creationTimestamp`.
std::string age(const Json& object, Clock::Wall now);
/// Returns labels as `a=1,b=2`, sorted by key; `<none>` if there are none.
std::string labels_text(const Json& labels);
/// Returns a label selector (meta/v1 LabelSelector) as kubectl prints it, sorted by key:
/// `app=web,tier in (a,b),!old`; `<none>` if it is empty. Unknown operators are left out.
std::string selector_text(const Json& selector);

}  // namespace kinf::columns
