// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/recorded_scope.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "kinf/base/quote.h"

namespace kinf {

bool RecordedScope::is_secret() const {
  return type.type.gvr.group.empty() && type.type.gvr.resource == "secrets";
}

std::string RecordedScope::flags_text() const {
  std::vector<std::string> flags;
  if (type.type.namespaced) flags.push_back(ns.empty() ? "-A" : "-n " + shell_word(ns));
  if (!name.empty()) flags.push_back(shell_word(name));
  if (!label_selector.empty()) flags.push_back("-l " + shell_word(label_selector));
  if (!field_selector.empty()) {
    flags.push_back("--field-selector " + shell_word(field_selector));
  }
  return flags.empty() ? "no selectors" : fmt::format("{}", fmt::join(flags, " "));
}

}  // namespace kinf
