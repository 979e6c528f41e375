// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/json_check.h"

#include <fmt/format.h>
#include <simdjson.h>

namespace kinf {

struct JsonCheck::Parser {
  simdjson::dom::parser simdjson;
};

JsonCheck::JsonCheck() : parser_(std::make_unique<Parser>()) {}
JsonCheck::~JsonCheck() = default;

Result<void> JsonCheck::check(std::string_view json) {
  const simdjson::error_code error = parser_->simdjson.parse(json.data(), json.size()).error();
  if (error == simdjson::SUCCESS) return {};
  return fail(ErrorKind::protocol,
              fmt::format("the server sent invalid JSON: {}", simdjson::error_message(error)));
}

}  // namespace kinf
