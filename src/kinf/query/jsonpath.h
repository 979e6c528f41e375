// SPDX-License-Identifier: Apache-2.0
// JsonPath: a parsed kubectl JSONPath template that can be applied to many documents.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/query/jsonpath_syntax.h"

namespace kinf {

namespace jsonpath {
enum class Document;
}

/// Parses a document for a JsonPath. Omits values nested deeper than 512 levels. If `text` is not
/// valid JSON, is_discarded() of the result is true.
nlohmann::json parse_document(std::string_view text);

/// Adds the braces and the leading dot, which users may omit: `metadata.name` becomes
/// `{.metadata.name}`.
std::string in_braces(std::string_view expression);

struct JsonPathOptions {
  bool allow_missing_keys = true;  ///< if false, a missing field is an error
  bool json_output = false;        ///< prints indented JSON arrays (`jsonpath-as-json`)
};

/// A parsed JSONPath template. Behaves like client-go's util/jsonpath on decoded JSON, including
/// error messages, except that jsonpath::Dialect::kinf accepts more filters. Sorts members by name
/// where Go's order is random (wildcards and recursive descents over maps). Threads: immutable
/// after parse(); call every function from any thread.
class JsonPath {
 public:
  /// Parses a template. Fails with usage errors in kubectl's words.
  static Result<JsonPath> parse(std::string_view text,
                                jsonpath::Dialect dialect = jsonpath::Dialect::kinf);
  /// Parses a single path such as `metadata.name`, with or without braces and leading dot (kubectl:
  /// RelaxedJSONPathExpression).
  static Result<JsonPath> parse_path(std::string_view text);

  /// Returns the output of the template for `document`. Fails with usage errors in kubectl's words.
  Result<std::string> print(const nlohmann::json& document,
                            const JsonPathOptions& options = {}) const;
  enum class Structured { as_json, as_go };
  /// Returns the values that the template finds, one text each. `as_json` formats maps and lists as
  /// JSON, like print(), and omits nulls. `as_go` uses Go's format, in which null is `<nil>`. Fails
  /// like print().
  Result<std::vector<std::string>> values(const nlohmann::json& document,
                                          Structured structured = Structured::as_json) const;
  /// Returns copies of the values that the template finds. Fails like print().
  Result<std::vector<nlohmann::json>> find(const nlohmann::json& document) const;
  /// See jsonpath::reads_only_metadata().
  bool reads_only_metadata(jsonpath::Document document) const;
  /// See jsonpath::reads_beyond_metadata().
  bool reads_beyond_metadata(jsonpath::Document document) const;

 private:
  explicit JsonPath(std::vector<jsonpath::Node> nodes) : nodes_(std::move(nodes)) {}

  std::vector<jsonpath::Node> nodes_;
};

}  // namespace kinf
