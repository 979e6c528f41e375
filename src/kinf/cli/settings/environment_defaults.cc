// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/settings/environment_defaults.h"

#include <algorithm>

#include "kinf/base/ascii.h"

namespace kinf {
namespace {

/// Returns whether `kinf run` passes the variable to its program, so that it sets no flag.
bool is_of_run(std::string_view name, bool in_run) {
  return name == "KINF_NAME" || name == "KINF_CLUSTER" || name == "KINF_COUNT" ||
         (name == "KINF_NAMESPACE" && in_run);
}

}  // namespace

std::vector<FlagDefault> environment_defaults(const std::vector<std::string>& variables) {
  constexpr std::string_view kPrefix = "KINF_";
  const bool in_run = std::ranges::any_of(
      variables, [](const std::string& one) { return one.starts_with("KINF_KEY="); });
  std::vector<FlagDefault> defaults;
  for (const std::string& variable : variables) {
    const std::size_t equals = variable.find('=');
    if (!variable.starts_with(kPrefix) || equals + 1 >= variable.size()) continue;
    const std::string name = variable.substr(0, equals);
    std::string flag = "--" + to_lower(name.substr(kPrefix.size()));
    std::ranges::replace(flag, '_', '-');
    if (!can_have_default(flag) || is_of_run(name, in_run)) continue;
    defaults.push_back({.flag = std::move(flag),
                        .values = {variable.substr(equals + 1)},
                        .level = SettingLevel::environment,
                        .origin = name});
  }
  return defaults;
}

}  // namespace kinf
