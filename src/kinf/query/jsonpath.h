// SPDX-License-Identifier: Apache-2.0
// JsonPath: kubectl's JSONPath templates, parsed once and applied to many documents.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/query/jsonpath_syntax.h"

namespace kinf {

/// Parses a document to look into. What is nested deeper than 512 levels is left out; the value is
/// discarded if `text` is not JSON.
nlohmann::json parse_document(std::string_view text);

struct JsonPathOptions {
  bool allow_missing_keys = true;  ///< else a field that is not there is an error
  bool json_output = false;        ///< results as indented JSON arrays (`jsonpath-as-json`)
};

/// Behaves as client-go util/jsonpath on decoded JSON, error texts included. Where Go leaves the
/// order to chance (wildcards and descents over maps), members come sorted by name.
/// Threads: immutable after parse(); every call from any thread.
class JsonPath {
 public:
  /// A usage error with kubectl's wording for what cannot be read.
  static Result<JsonPath> parse(std::string_view text);

  /// What the template prints for `document`.
  Result<std::string> print(const nlohmann::json& document,
                            const JsonPathOptions& options = {}) const;
  enum class Structured { as_json, as_go };
  /// The values found, each as print() would write it alone; nulls are left out. Maps and lists
  /// as JSON, or as Go prints them.
  Result<std::vector<std::string>> values(const nlohmann::json& document,
                                          Structured structured = Structured::as_json) const;

 private:
  explicit JsonPath(std::vector<jsonpath::Node> nodes) : nodes_(std::move(nodes)) {}

  std::vector<jsonpath::Node> nodes_;
};

}  // namespace kinf
