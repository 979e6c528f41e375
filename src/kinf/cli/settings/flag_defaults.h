// SPDX-License-Identifier: Apache-2.0
// Chooses the flag defaults that apply to a command line.
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

/// Returns the defaults that apply to `line`, the highest level first. Leaves out a default if the
/// line contains the flag or one that sets the same thing, or if only other commands accept the
/// value. Errors: usage, for a value that no command accepts, or if the table of a command sets a
/// flag that the command lacks; messages begin with FlagDefault::origin.
Result<std::vector<DefaultWords>> default_words(const TypedLine& line, const Settings& settings);

/// Returns the defaults that `fits` accepts, in the order in which they were accepted. Tries a
/// rejected default again after another one was accepted. Skips a default if an accepted default of
/// a higher level sets the same thing.
std::vector<DefaultWords> taken_defaults(
    CommandSet command, std::vector<DefaultWords> defaults,
    const std::function<bool(const std::vector<std::string>& words)>& fits);

}  // namespace kinf
