// SPDX-License-Identifier: Apache-2.0
// Reads the command line together with the settings of the user.
#pragma once

#include <string>
#include <vector>

#include "kinf/cli/flags/command_line.h"
#include "kinf/cli/runtime/environment.h"
#include "kinf/cli/settings/settings.h"

namespace kinf {

/// Returns the settings in the configuration file and the environment. The file is that of
/// --config, else that of $KINF_CONFIG, else kinf/config.toml in $XDG_CONFIG_HOME or ~/.config.
/// Only the last of these may be missing. Blocks on the disk. Errors: usage.
Result<Settings> read_settings(const std::vector<std::string>& arguments,
                               const Environment& environment);

/// Replaces an alias with its words. In `help ALIAS`, replaces the alias with the command that it
/// runs.
std::vector<std::string> expand_alias(const std::vector<std::string>& arguments,
                                      const Settings& settings);

/// Parses `arguments`. Flags that are not given get their defaults from `settings`. Leaves out a
/// default that does not fit the other flags. Errors: usage; for a default with a wrong value, see
/// default_words().
Result<CommandLine> parse_with_settings(const std::vector<std::string>& arguments,
                                        const Settings& settings);

/// Parses the command line of kinf. Reads the settings if the command needs them.
Result<CommandLine> read_command_line(const std::vector<std::string>& arguments,
                                      const Environment& environment);

}  // namespace kinf
