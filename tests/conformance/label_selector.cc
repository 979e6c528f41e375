// SPDX-License-Identifier: Apache-2.0
#include "kinf/api/selectors.h"

#include "conformance/runner.h"

namespace kinf::conformance {
namespace {

class LabelSelectorRunner final : public TableRunner {
 protected:
  Json evaluate(Fields& input, Fields& config, const Json& expect) override {
    (void)config;
    const auto selector = LabelSelector::parse(input.text("text"));
    if (!selector) return {{"error", selector.error().message}};
    Json matches = Json::array();
    for (const Json& row : expect.value("matches", Json::array())) {
      const Json& labels = row.at(0);
      const bool matched = selector->matches([&](std::string_view key) {
        const auto found = labels.find(key);
        return found == labels.end()
                   ? std::nullopt
                   : std::optional<std::string_view>(found->get_ref<const std::string&>());
      });
      matches.push_back({labels, matched});
    }
    return {{"error", nullptr},
            {"canonical", selector->to_string()},
            {"empty", selector->empty()},
            {"matches", matches}};
  }
};

const Registration kLabelSelector("label_selector",
                                  [] { return std::make_unique<LabelSelectorRunner>(); });

}  // namespace
}  // namespace kinf::conformance
