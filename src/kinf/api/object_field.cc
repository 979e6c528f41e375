// SPDX-License-Identifier: Apache-2.0
#include "kinf/api/object_field.h"

#include <simdjson.h>

namespace kinf {

std::optional<std::string> object_field(const Object& object,
                                        std::span<const std::string_view> path) {
  namespace ondemand = simdjson::ondemand;
  thread_local ondemand::parser parser;
  Scratch scratch;
  const std::string_view json = object.json(scratch);
  // json() guarantees the padding that simdjson requires.
  ondemand::document document;
  ondemand::value value;
  if (parser.iterate(json.data(), json.size(), json.size() + Object::kPadding).get(document) ||
      document.get_value().get(value)) {
    return std::nullopt;
  }
  for (const std::string_view step : path) {
    ondemand::object members;
    if (value.get_object().get(members) || members.find_field_unordered(step).get(value)) {
      return std::nullopt;
    }
  }
  ondemand::json_type type;
  if (value.type().get(type) || type == ondemand::json_type::null) return std::nullopt;
  std::string_view text;
  const bool failed = type == ondemand::json_type::string
                          ? value.get_string().get(text) != simdjson::SUCCESS
                          : simdjson::to_json_string(value).get(text) != simdjson::SUCCESS;
  if (failed) return std::nullopt;
  return std::string(text);
}

}  // namespace kinf
