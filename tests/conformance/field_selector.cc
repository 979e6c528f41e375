// SPDX-License-Identifier: Apache-2.0
#include "kinf/api/selectors.h"

#include "conformance/runner.h"

namespace kinf::conformance {
namespace {

Json requirements_of(const FieldSelector& selector) {
  if (selector.empty()) return nullptr;
  Json rows = Json::array();
  for (const FieldRequirement& one : selector.requirements()) {
    rows.push_back({one.field, one.equal ? "=" : "!=", one.value});
  }
  return rows;
}

class FieldSelectorRunner final : public TableRunner {
 protected:
  Json evaluate(Fields& input, Fields& config, const Json& expect) override {
    (void)config;
    const auto selector = FieldSelector::parse(input.text("text"));
    if (!selector) return {{"error", selector.error().message}};
    Json matches = Json::array();
    for (const Json& row : expect.value("matches", Json::array())) {
      const Json& fields = row.at(0);
      matches.push_back({fields, selector->matches([&](std::string_view field) {
                           return fields.value(std::string(field), "");
                         })});
    }
    return {{"error", nullptr},
            {"canonical", selector->to_string()},
            {"empty", selector->empty()},
            {"matches", matches},
            {"requirements", requirements_of(*selector)}};
  }
};

const Registration kFieldSelector("field_selector",
                                  [] { return std::make_unique<FieldSelectorRunner>(); });

}  // namespace
}  // namespace kinf::conformance
