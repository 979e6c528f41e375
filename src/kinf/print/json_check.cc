// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/json_check.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kinf/base/json_depth.h"
#include "kinf/base/limits.h"

namespace kinf {
namespace {

/// Looks at strings only if there are enough brackets, which is rare.
bool is_too_deep(std::string_view json) {
  const auto brackets = std::ranges::count_if(json, [](char c) { return c == '{' || c == '['; });
  return static_cast<std::size_t>(brackets) > limits::kPrintedDepth &&
         json_depth(json) > limits::kPrintedDepth;
}

}  // namespace

struct JsonCheck::Parser {
  simdjson::dom::parser simdjson;
};

JsonCheck::JsonCheck() : parser_(std::make_unique<Parser>()) {}
JsonCheck::~JsonCheck() = default;

Result<void> JsonCheck::check(std::string_view json) {
  if (is_too_deep(json)) {
    return fail(ErrorKind::protocol, "the server sent invalid JSON: the nesting is too deep");
  }
  const simdjson::error_code error = parser_->simdjson.parse(json.data(), json.size()).error();
  if (error == simdjson::SUCCESS) return {};
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
