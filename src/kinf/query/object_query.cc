// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/object_query.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "kinf/query/index_spec.h"
#include "kinf/query/jsonpath.h"

namespace kinf {

Result<std::vector<std::string>> values(const Object& object, std::string_view path) {
  const Result<JsonPath> parsed = JsonPath::parse_path(path);
  if (!parsed) return fail(parsed);
  Scratch scratch;
  return parsed->values(parse_document(object.json(scratch)));
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
