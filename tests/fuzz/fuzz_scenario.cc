// SPDX-License-Identifier: Apache-2.0
// Any scenario file gives a scenario with its steps in the order of their times, or an error that
// names the file.
#include <algorithm>
#include <cstdint>
#include <string>

#include "fuzz/properties.h"
#include "kinf/sandbox/scenarios/scenario_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto scenario = kinf::sandbox::parse_scenario(text, "scenario.yaml");
  if (scenario) {
    kinf::fuzz::demand(
        std::ranges::is_sorted(scenario->steps, {}, [](const auto& step) { return step.at; }));
  } else {
    kinf::fuzz::demand(scenario.error().message.starts_with("scenario.yaml"));
  }
  return 0;
}
