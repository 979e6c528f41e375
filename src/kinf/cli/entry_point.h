// SPDX-License-Identifier: Apache-2.0
// The program behind main().
#pragma once

namespace kinf {

/// Returns the exit code (cli/exit_code.h).
int run(int argc, char** argv);

}  // namespace kinf
