// SPDX-License-Identifier: Apache-2.0
// Implements main().
#pragma once

namespace kinf {

/// Runs kinf. Returns the exit code (see cli/runtime/exit_code.h).
int run(int argc, char** argv);

}  // namespace kinf
