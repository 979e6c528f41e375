// SPDX-License-Identifier: Apache-2.0
// The component `duration`: human-readable durations.
#include "conformance/runner.h"
#include "kinf/columns/human_duration.h"

namespace kinf::conformance {
namespace {

class DurationRunner final : public TableRunner {
  Json evaluate(Fields& input, Fields&, const Json&) override {
    const std::chrono::nanoseconds duration(std::stoll(input.text("ns")));
    return {{"human", human_duration(duration)}};
  }
};

const Registration kDuration("duration", [] { return std::make_unique<DurationRunner>(); });

}  // namespace
}  // namespace kinf::conformance
