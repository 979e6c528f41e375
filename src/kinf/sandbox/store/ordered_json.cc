// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/store/ordered_json.h"

#include <algorithm>

#include "kinf/base/json_depth.h"
#include "kinf/base/limits.h"

namespace kinf::sandbox {
namespace {

/// Returns true if the members in `keys` that exist are the first ones, in this order.
bool begins_with(const Json& object, std::initializer_list<const char*> keys) {
  if (!object.is_object()) return true;
  const auto& members = object.get_ref<const Json::object_t&>();
  auto next = members.begin();
  for (const char* key : keys) {
    if (next != members.end() && next->first == key) {
      ++next;
    } else if (object.contains(key)) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::optional<Json> parse_json(std::string_view text) {
  if (json_depth(text) > limits::kRequestDepth) return std::nullopt;
  Json json = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return std::nullopt;
  return json;
}

std::string json_problem(std::string_view text) {
  if (json_depth(text) > limits::kRequestDepth) return "json: nested too deeply";
  try {
    [[maybe_unused]] const Json json = Json::parse(text.begin(), text.end());
  } catch (const Json::parse_error& error) {
    const std::size_t at = std::min(error.byte, text.size());
    const auto line =
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    return "json: line " + std::to_string(line) + ": syntax error";
  }
  return "json: syntax error";
}

std::string to_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const Json& field(const Json& json, std::string_view key) {
  static const Json nothing;
  if (!json.is_object()) return nothing;
  for (const auto& [name, value] : json.get_ref<const Json::object_t&>()) {
    if (name == key) return value;
  }
  return nothing;
}

const Json& at_path(const Json& json, std::string_view path) {
  const Json* at = &json;
  while (!path.empty()) {
    if (path.starts_with('.')) path.remove_prefix(1);
    const std::string_view name = path.substr(0, path.find('.'));
    at = &field(*at, name);
    path.remove_prefix(name.size());
  }
  return *at;
}

std::string text(const Json& json) { return json.is_string() ? json.get<std::string>() : ""; }

std::int64_t integer_or(const Json& json, std::int64_t otherwise) {
  return json.is_number_integer() ? json.get<std::int64_t>() : otherwise;
}

const Json& elements(const Json& json) {
  static const Json none = Json::array();
  return json.is_array() ? json : none;
}

Json& object_at(Json& json, std::string_view key) {
  Json& member = json[std::string(key)];
  if (!member.is_object()) member = Json::object();
  return member;
}

void move_to_front(Json& object, std::initializer_list<const char*> keys) {
  if (begins_with(object, keys)) return;
  Json result = Json::object();
  for (const char* key : keys) {
    const auto found = object.find(key);
    if (found != object.end()) result[key] = std::move(*found);
  }
  for (auto& [key, value] : object.items()) {
    if (!result.contains(key)) result[key] = std::move(value);
  }
  object = std::move(result);
}

}  // namespace kinf::sandbox
