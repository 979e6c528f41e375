// SPDX-License-Identifier: Apache-2.0
// Formats cells that several kinds share. A missing field is empty and never an error, because
// kubectl prints a row for every object. Used in kinf/columns, and by the sandbox for the columns
// of custom resources. Pure functions. Threads: any.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "kinf/base/clock.h"
#include "kinf/kubernetes/json_fields.h"

namespace kinf::columns {

using Json = nlohmann::json;

using fields::elements;
using fields::field;
using fields::text;

/// Returns the integer in `json`; 0 for any other type and for numbers with a fraction.
inline std::int64_t number(const Json& json) { return fields::integer_or(json, 0); }
/// Returns true only for the boolean `true`.
inline bool is_true(const Json& json) { return json.is_boolean() && json.get<bool>(); }
/// Returns the members of an object, sorted by key; none for any other type.
const Json::object_t& members(const Json& json);

/// Returns the text of one field of each element of an array, separated by commas. The text is
/// empty for an element without the field.
std::string joined(const Json& list, const char* key);
/// Returns whether `status.conditions` has a condition of this type with status `True`.
bool has_condition(const Json& object, std::string_view type);

/// Returns `text`, or `<none>` if it is empty.
std::string or_none(std::string text);
/// Parses an RFC 3339 time and ignores fractions of a second. Returns nullopt for anything else.
/// Clamps times outside the clock's range.
std::optional<Clock::Wall> time(const Json& json);
/// Returns the time from `timestamp` to `now`, as in the AGE column; `<unknown>` if `timestamp` is
/// not a time.
std::string since(const Json& timestamp, Clock::Wall now);
/// Returns the NAME cell: `metadata.name`.
std::string name_of(const Json& object);
/// Returns the AGE cell: the time since `metadata.creationTimestamp`.
std::string age(const Json& object, Clock::Wall now);
/// Returns the addresses in `status.loadBalancer`, sorted and without duplicates.
std::string balancer_addresses(const Json& object);
/// Returns labels as `a=1,b=2`, sorted by key; `<none>` if there are none.
std::string labels_text(const Json& labels);
/// Returns a label selector (meta/v1 LabelSelector) as kubectl prints it, sorted by key:
/// `app=web,tier in (a,b),!old`; `<none>` if it is empty. Skips unknown operators.
std::string selector_text(const Json& selector);

}  // namespace kinf::columns
