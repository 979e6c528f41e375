// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/object_query.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "kinf/api/object_path.h"
#include "kinf/query/index_spec.h"
#include "kinf/query/jsonpath.h"

namespace kinf {

struct Path::Code {
  std::optional<ObjectPath> simple;    ///< set if the path has only names and list elements
  std::optional<JsonPath> expression;  ///< set otherwise
};

Result<Path> Path::parse(std::string_view text) {
  Code code;
  const Result<std::vector<jsonpath::Node>> nodes = jsonpath::parse_jsonpath(in_braces(text));
  if (nodes) code.simple = as_object_path(*nodes);
  if (!code.simple) {
    Result<JsonPath> expression = JsonPath::parse_path(text);
    if (!expression) return fail(expression);
    code.expression = *std::move(expression);
  }
  return Path(std::make_shared<const Code>(std::move(code)));
}

std::vector<std::string> Path::values(const Object& object) const {
  if (code_->simple) return object_values(object, {&*code_->simple, 1});
  Scratch scratch;
  const nlohmann::json document = parse_document(object.json(scratch));
  if (document.is_discarded()) return {};
  Result<std::vector<std::string>> found = code_->expression->values(document);
  if (!found) return {};  // for example, if an index is beyond the end of a list
  return *std::move(found);
}

Result<std::vector<std::string>> values(const Object& object, std::string_view path) {
  const Result<Path> parsed = Path::parse(path);
  if (!parsed) return fail(parsed);
  return parsed->values(object);
}

Result<std::function<Result<std::vector<std::string>>(const Object&)>> index_function(
    std::string_view key) {
  Result<IndexSpec> spec = IndexSpec::parse(key);
  if (!spec) return fail(spec);
  if (spec->value()) return fail(ErrorKind::usage, "{}: the key of an index has no value", key);
  if (spec->follows_owners()) {
    return fail(ErrorKind::usage, "{} needs the caches of the owners", key);
  }
  return [spec = *std::move(spec)](const Object& object) -> Result<std::vector<std::string>> {
    return spec.values(object);
  };
}

}  // namespace kinf
