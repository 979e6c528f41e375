// SPDX-License-Identifier: Apache-2.0
#include "kinf/api/object_path.h"

#include <simdjson.h>

namespace kinf {
namespace {

namespace dom = simdjson::dom;

void add_value(const dom::element& value, std::vector<std::string>& values) {
  if (value.is_null()) return;
  std::string_view string;
  if (value.get_string().get(string) == simdjson::SUCCESS) {
    values.emplace_back(string);
  } else {
    values.push_back(simdjson::minify(value));
  }
}

void collect(const dom::element& value, std::span<const PathStep> path,
             std::vector<std::string>& values) {
  if (path.empty()) return add_value(value, values);
  const PathStep& step = path.front();
  const std::span<const PathStep> rest = path.subspan(1);
  dom::element inside;
  switch (step.kind) {
    case PathStep::Kind::member:
      if (value.is_object() && value[step.name].get(inside) == simdjson::SUCCESS) {
        collect(inside, rest, values);
      }
      break;
    case PathStep::Kind::element:
      if (value.is_array() && value.at(step.index).get(inside) == simdjson::SUCCESS) {
        collect(inside, rest, values);
      }
      break;
    case PathStep::Kind::each_element:
      if (!value.is_array()) break;
      for (const dom::element element : dom::array(value)) collect(element, rest, values);
      break;
  }
}

}  // namespace

std::vector<std::string> object_values(const Object& object, std::span<const ObjectPath> paths) {
  thread_local dom::parser parser;
  Scratch scratch;
  const std::string_view json = object.json(scratch);
  std::vector<std::string> values;
  dom::element root;
  // json() guarantees the padding that simdjson requires.
  if (parser.parse(json.data(), json.size(), false).get(root) != simdjson::SUCCESS) return values;
  for (const ObjectPath& path : paths) collect(root, path, values);
  return values;
}

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
