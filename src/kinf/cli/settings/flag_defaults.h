// SPDX-License-Identifier: Apache-2.0
// Chooses the defaults of flags that apply to a command line.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/cli/flags/typed_line.h"
#include "kinf/cli/settings/settings.h"

namespace kinf {

/// The words that set a flag to its default: `--color=never`.
struct DefaultWords {
  std::string flag;
  SettingLevel level = SettingLevel::top;
  std::vector<std::string> words;
};

/// Returns the defaults of the flags of `line`, the highest level first. Leaves out a default if
/// the line gives the flag or one that rivals it, and a value that only other commands take.
/// Errors: usage, for a value that no command takes, or a flag that the command of a table lacks;
/// messages begin with the origin.
Result<std::vector<DefaultWords>> default_words(const TypedLine& line, const Settings& settings);

/// Returns the defaults that `fits` accepts, in the order in which they were accepted. Tries a
/// rejected default again after another one was accepted. Skips a default if one of a higher level
/// that chooses the same thing was accepted.
std::vector<DefaultWords> taken_defaults(
    CommandSet command, std::vector<DefaultWords> defaults,
    const std::function<bool(const std::vector<std::string>& words)>& fits);

}  // namespace kinf
