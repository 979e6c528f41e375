// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/custom_columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "kinf/print/object_document.h"
#include "kinf/print/table_text.h"

namespace kinf {
namespace {

using Json = nlohmann::json;

Json document_of(const ResourceType& type, const ObjectPtr& object, bool show_secrets) {
  Scratch scratch;
  return parse_document(object_document(type, *object, show_secrets, scratch).text);
}

}  // namespace

Result<CustomColumns> CustomColumns::parse(std::string_view text) {
  if (text.empty()) {
    return fail(ErrorKind::usage, "custom-columns format specified but no custom columns given");
  }
  CustomColumns columns;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    const std::size_t colon = one.find(':');
    if (colon == std::string_view::npos || colon + 1 == one.size()) {
      return fail(ErrorKind::usage, fmt::format("unexpected custom-columns spec: {}, expected "
                                                "<header>:<json-path-expr>",
                                                one));
    }
    Result<JsonPath> path = JsonPath::parse(in_braces(one.substr(colon + 1)));
    if (!path) return std::unexpected(std::move(path).error());
    columns.columns_.push_back({std::string(one.substr(0, colon)), *std::move(path)});
  }
  return columns;
}

std::string CustomColumns::print(const PrintedObjects& objects, const PrintOptions& options) const {
  TableText table(options.terminal_width);
  if (options.headers) {
    for (const Column& column : columns_) table.add_cell(column.header);
    table.end_row();
  }
  for (const ObjectPtr& object : objects.objects) {
    const Json document = document_of(*objects.resource, object, options.show_secrets);
    for (const Column& column : columns_) {
      const auto values = column.path.values(document, JsonPath::Structured::as_go);
      const bool none = !values || values->empty();
      table.add_cell(none ? "<none>" : fmt::format("{}", fmt::join(*values, ",")));
    }
    table.end_row();
  }
  return table.flush();
}

Result<std::string> objects_jsonpath(const JsonPath& expression, const PrintedObjects& objects,
                                     bool as_list, const PrintOptions& options) {
  Json items = Json::array();
  for (const ObjectPtr& object : objects.objects) {
    items.push_back(document_of(*objects.resource, object, options.show_secrets));
  }
  if (!as_list && items.size() == 1) return expression.print(items[0]);
  return expression.print({{"apiVersion", "v1"},
                           {"kind", "List"},
                           {"items", std::move(items)},
                           {"metadata", {{"resourceVersion", ""}}}});
}

Result<std::string> json_jsonpath(const JsonPath& expression, std::string_view json) {
  return expression.print(parse_document(json));
}

}  // namespace kinf
