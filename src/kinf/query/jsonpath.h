// SPDX-License-Identifier: Apache-2.0
// JsonPath: a template in kubectl's JSONPath, parsed once and applied to many documents.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/query/jsonpath_syntax.h"

namespace kinf {

/// Parses a document for a JsonPath. Values nested deeper than 512 levels are left out. If `text`
/// is not JSON, is_discarded() of the result is true.
nlohmann::json parse_document(std::string_view text);

struct JsonPathOptions {
  bool allow_missing_keys = true;  ///< if false, a missing field is an error
  bool json_output = false;        ///< prints indented JSON arrays (`jsonpath-as-json`)
};

/// Behaves like client-go's util/jsonpath on decoded JSON, including error messages. Where the
/// order is random in Go (wildcards and descents over maps), members are sorted by name. Threads:
/// immutable after parse(); every call from any thread.
class JsonPath {
 public:
  /// Errors: usage, worded as in kubectl.
  static Result<JsonPath> parse(std::string_view text);

  /// Returns what the template prints for `document`. Errors: usage, worded as in kubectl.
  Result<std::string> print(const nlohmann::json& document,
                            const JsonPathOptions& options = {}) const;
  enum class Structured { as_json, as_go };
  /// Returns the values that the template finds, each as print() would write it alone; nulls are
  /// left out. Maps and lists are written as JSON or as Go prints them. Errors: as print().
  Result<std::vector<std::string>> values(const nlohmann::json& document,
                                          Structured structured = Structured::as_json) const;

 private:
  explicit JsonPath(std::vector<jsonpath::Node> nodes) : nodes_(std::move(nodes)) {}

  std::vector<jsonpath::Node> nodes_;
};

}  // namespace kinf
