// SPDX-License-Identifier: Apache-2.0
// The flags that the commands declare, as completion and settings need them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kinf {

/// A flag that a command declares.
struct FlagInfo {
  std::string name;        ///< `--output`
  std::string short_name;  ///< `-o`, or empty
  bool takes_value = false;
  bool has_optional_value = false;  ///< a value is part of the word: `--sandbox=rollout`
  bool repeatable = false;
  std::vector<std::string> words;  ///< its values, if they are a fixed set
};

/// Returns the flags of `command` with the global flags, or only the global flags if there is no
/// such command.
std::vector<FlagInfo> flags_of(std::string_view command);

}  // namespace kinf
