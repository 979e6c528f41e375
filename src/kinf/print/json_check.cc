// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/json_check.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <nlohmann/json.hpp>
#include <tuple>

#include "kinf/base/json_string.h"
#include "kinf/base/limits.h"

namespace kinf {

struct JsonCheck::Parser {
  Parser() { std::ignore = simdjson.allocate(0, limits::kPrintedDepth); }

  simdjson::dom::parser simdjson;
};

JsonCheck::JsonCheck() : parser_(std::make_unique<Parser>()) {}
JsonCheck::~JsonCheck() = default;

Result<void> JsonCheck::check(std::string_view json) {
  const simdjson::error_code error = parser_->simdjson.parse(json.data(), json.size()).error();
  if (error == simdjson::SUCCESS) return {};
  if (error == simdjson::DEPTH_ERROR) {
    // simdjson counts an empty list or object at the end in another way.
    if (json_depth(json) <= limits::kPrintedDepth && nlohmann::json::accept(json)) return {};
    return fail(ErrorKind::protocol, "the server sent invalid JSON: the nesting is too deep");
  }
  // simdjson also refuses integers above 2^64, which are valid JSON. nlohmann's parser ends at a
  // zero byte, which is not.
  if (error == simdjson::NUMBER_ERROR && json.find('\0') == std::string_view::npos &&
      nlohmann::json::accept(json)) {
    return {};
  }
  return fail(ErrorKind::protocol,
              fmt::format("the server sent invalid JSON: {}", simdjson::error_message(error)));
}

}  // namespace kinf
