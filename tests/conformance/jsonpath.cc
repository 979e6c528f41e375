// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/jsonpath.h"

#include <algorithm>

#include "conformance/runner.h"

namespace kinf::conformance {
namespace {

/// The objects were written from Go values, and JSON text does not distinguish the double 1e6 from
/// the integer 1000000. If one number of a list of numbers is a double, all of them were.
void restore_doubles(Json& value) {
  if (!value.is_structured()) return;
  for (Json& inside : value) restore_doubles(inside);
  const auto is_number = [](const Json& item) { return item.is_number(); };
  const auto is_double = [](const Json& item) { return item.is_number_float(); };
  if (value.is_array() && std::all_of(value.begin(), value.end(), is_number) &&
      std::any_of(value.begin(), value.end(), is_double)) {
    for (Json& number : value) number = number.get<double>();
  }
}

class JsonPathRunner final : public TableRunner {
 public:
  void open(Fields& document) override {
    for (const Json& test_case : document.at("cases")) {
      if (test_case.contains("config")) objects_ = test_case.at("config").at("objects");
    }
    restore_doubles(objects_);
  }

 protected:
  Json evaluate(Fields& input, Fields& config, const Json& expect) override {
    (void)config;
    (void)expect;
    const Json& object = objects_.at(input.text("object"));
    JsonPathOptions options;
    options.allow_missing_keys = input.flag("allow_missing_keys");
    options.json_output = input.flag("json_output");
    const auto path = JsonPath::parse(input.text("template"), jsonpath::Dialect::kubectl);
    if (!path) return {{"parse_error", path.error().message}};
    const auto output = path->print(object, options);
    if (!output) return {{"exec_error", output.error().message}};
    return {{"output", *output}};
  }

 private:
  Json objects_;
};

const Registration kJsonpath("jsonpath", [] { return std::make_unique<JsonPathRunner>(); });

}  // namespace
}  // namespace kinf::conformance
