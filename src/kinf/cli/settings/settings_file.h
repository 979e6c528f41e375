// SPDX-License-Identifier: Apache-2.0
// Reads the configuration file, which is in TOML.
#pragma once

#include <string>
#include <string_view>

#include "kinf/base/error.h"
#include "kinf/cli/settings/settings.h"

namespace kinf {

/// Parses a configuration file. `path` is for messages. Errors: usage, with the file and the line.
Result<Settings> parse_settings(std::string_view text, const std::string& path);

}  // namespace kinf
