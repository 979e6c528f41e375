// SPDX-License-Identifier: Apache-2.0
#include "conformance/index_functions.h"

#include <optional>

#include "conformance/compact_object.h"

namespace kinf::conformance {
namespace {

using Values = std::vector<std::string>;

Values split_at_commas(const std::string& text) {
  Values values;
  if (text.empty()) return values;
  std::size_t start = 0;
  for (std::size_t comma; (comma = text.find(',', start)) != std::string::npos;) {
    values.push_back(text.substr(start, comma - start));
    start = comma + 1;
  }
  values.push_back(text.substr(start));
  return values;
}

Values field_values(const Object& object, const std::string& path) {
  Scratch scratch;
  const Json document = Json::parse(object.json(scratch));
  const Json* at = &document;
  std::size_t start = 0;
  while (true) {
    const std::size_t dot = path.find('.', start);
    const auto found = at->find(path.substr(start, dot - start));
    if (found == at->end()) return {};
    at = &*found;
    if (dot == std::string::npos) break;
    start = dot + 1;
  }
  if (!at->is_string() || at->get_ref<const std::string&>().empty()) return {};
  return {at->get<std::string>()};
}

std::function<Values(const Object&)> values_from(Fields& fields) {
  if (const Json* label = fields.find("label")) {
    std::optional<std::string> fallback;
    if (const Json* text = fields.find("default")) fallback = text->get<std::string>();
    return [key = label->get<std::string>(), fallback](const Object& object) -> Values {
      if (const auto value = object.label(key)) return {std::string(*value)};
      return fallback ? Values{*fallback} : Values{};
    };
  }
  if (fields.find("namespace") != nullptr) {
    return [](const Object& object) -> Values { return {std::string(object.ns())}; };
  }
  if (const Json* field = fields.find("field")) {
    return [path = field->get<std::string>()](const Object& object) {
      return field_values(object, path);
    };
  }
  if (fields.find("labels_kv") != nullptr) {
    return [](const Object& object) {
      Values values;
      for (std::size_t i = 0; i < object.label_count(); ++i) {
        const auto [key, value] = object.label_at(i);
        values.push_back(std::string(key) + "=" + std::string(value));
      }
      return values;
    };
  }
  if (const Json* annotation = fields.find("annotation_csv")) {
    return [name = annotation->get<std::string>()](const Object& object) {
      return split_at_commas(annotation_of(object, name));
    };
  }
  if (const Json* constant = fields.find("const")) {
    return [text = constant->get<std::string>()](const Object&) -> Values { return {text}; };
  }
  throw BadVector("an index function of an unknown form");
}

}  // namespace

IndexValues index_function_from(const Json& declaration) {
  Fields fields(&declaration, "index function");
  const std::string bad_label = fields.text_or("fail_on_label", "");
  const auto values = values_from(fields);
  fields.expect_all_read();
  return [values, bad_label](const Object& object) -> Result<Values> {
    if (!bad_label.empty() && object.label(bad_label)) {
      return fail(ErrorKind::internal, "index function failed for " + std::string(object.name()));
    }
    return values(object);
  };
}

std::map<std::string, IndexValues> index_functions_from(const Json& declarations) {
  std::map<std::string, IndexValues> functions;
  for (const auto& item : declarations.items()) {
    functions.emplace(item.key(), index_function_from(item.value()));
  }
  return functions;
}

}  // namespace kinf::conformance
