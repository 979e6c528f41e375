// SPDX-License-Identifier: Apache-2.0
// A template on the first line, and a document: both dialects print text or fail with a usage error
// that has a message.
#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "fuzz/properties.h"
#include "kinf/query/index_spec.h"
#include "kinf/query/jsonpath.h"
#include "kinf/query/sort_order.h"

namespace kinf::fuzz {
namespace {

template <class T>
void demand_usage(const Result<T>& result) {
  demand(result || (result.error().kind == ErrorKind::usage && !result.error().message.empty()));
}

void check_template(std::string_view text, jsonpath::Dialect dialect,
                    const nlohmann::json& document) {
  const auto path = JsonPath::parse(text, dialect);
  demand_usage(path);
  if (!path) return;
  for (const bool json_output : {false, true}) {
    const JsonPathOptions options{.allow_missing_keys = json_output, .json_output = json_output};
    demand_usage(path->print(document, options));
  }
  demand_usage(path->values(document));
}

}  // namespace
}  // namespace kinf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto line = text.substr(0, text.find('\n'));
  const auto rest = text.substr(std::min(text.size(), line.size() + 1));
  const auto document = kinf::parse_document(rest);
  if (document.is_discarded()) return 0;
  using kinf::jsonpath::Dialect;
  kinf::fuzz::check_template(line, Dialect::kubectl, document);
  kinf::fuzz::check_template(line, Dialect::kinf, document);
  kinf::fuzz::demand_usage(kinf::JsonPath::parse_path(line));
  kinf::fuzz::demand_usage(kinf::SortOrder::parse(line));
  kinf::fuzz::demand_usage(kinf::IndexSpec::parse(line));
  return 0;
}
