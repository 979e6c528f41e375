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

/// Completes an expression to `{.metadata.name}`: users may omit the braces and the leading dot.
std::string in_braces(std::string_view expression);

struct JsonPathOptions {
  bool allow_missing_keys = true;  ///< if false, a missing field is an error
  bool json_output = false;        ///< prints indented JSON arrays (`jsonpath-as-json`)
};

/// Behaves like client-go's util/jsonpath on decoded JSON, including error messages, except for
/// what jsonpath::Dialect::kinf adds. Sorts members by name when the order is random in Go
/// (wildcards and recursive descents over maps). Threads: immutable after parse(); call every
/// function from any thread.
class JsonPath {
 public:
  /// Fails with usage errors that have the text of kubectl.
  static Result<JsonPath> parse(std::string_view text,
                                jsonpath::Dialect dialect = jsonpath::Dialect::kinf);
  /// Parses a single path, of which the braces and the leading dot may be omitted:
  /// `metadata.name` (kubectl: RelaxedJSONPathExpression).
  static Result<JsonPath> parse_path(std::string_view text);

  /// Returns the output of the template for `document`. Fails with usage errors that have kubectl's
  /// text.
  Result<std::string> print(const nlohmann::json& document,
                            const JsonPathOptions& options = {}) const;
  enum class Structured { as_json, as_go };
  /// Returns the values that the template finds, each formatted as by print(). Omits nulls.
  /// `structured` sets whether maps and lists are formatted as JSON or in Go's format, which also
  /// has a text for null. Fails like print().
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
