// SPDX-License-Identifier: Apache-2.0
// Reading fields of an object that may be absent or of any type: what is not there reads as
// nothing, never as an error. For the column functions only.
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

/// `json[key]`, or null.
const Json& field(const Json& json, const char* key);

template <class... Keys>
const Json& field(const Json& json, const char* key, Keys... keys) {
  return field(field(json, key), keys...);
}

/// A string, or empty.
std::string text(const Json& json);
/// An integer, or 0.
std::int64_t number(const Json& json);
bool is_true(const Json& json);
/// The elements of an array; of anything else, none.
const Json::array_t& items(const Json& json);
/// The members of an object; of anything else, none.
const Json::object_t& members(const Json& json);

/// One field of each element of an array, with commas between.
std::string joined(const Json& list, const char* key);
/// Whether `status.conditions` has one of this type that is True.
bool has_condition(const Json& object, std::string_view type);

/// kubectl's word for an empty cell.
std::string or_none(std::string text);
/// A time as the API writes it (RFC 3339); empty if it is none.
std::optional<Clock::Wall> time(const Json& json);
/// How long ago, as in AGE; `<unknown>` without a time.
std::string since(const Json& timestamp, Clock::Wall now);
/// The cells NAME and AGE of an object.
std::string name_of(const Json& object);
std::string age(const Json& object, Clock::Wall now);
/// `a=1,b=2`, or `<none>`.
std::string labels_text(const Json& labels);
/// A label selector as kubectl shows it: `app=web,tier in (a,b)`, or `<none>`.
std::string selector_text(const Json& selector);

}  // namespace kinf::columns
