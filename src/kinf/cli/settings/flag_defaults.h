// SPDX-License-Identifier: Apache-2.0
// Chooses the defaults of flags that apply to a command line.
#pragma once

#include <string>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/cli/completion/typed_line.h"
#include "kinf/cli/settings/settings.h"

namespace kinf {

/// Returns the words that set the flags of `line` to their defaults (`--color=never`): one group
/// for each flag, the highest level first. Leaves out a default if a higher level gives the flag or
/// one that rivals it, and a value that only other commands take. Errors: usage, for a value that
/// no command takes, or a flag that the command of a table lacks; messages begin with the origin.
Result<std::vector<std::vector<std::string>>> default_words(const TypedLine& line,
                                                            const Settings& settings);

}  // namespace kinf
