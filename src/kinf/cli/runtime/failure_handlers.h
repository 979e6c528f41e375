// SPDX-License-Identifier: Apache-2.0
// What ends the program when the system gives it no memory or no thread: one line on stderr and
// exit code 1, in any thread.
#pragma once

namespace kinf {

/// Makes a failed allocation, and a failed start of a thread that nothing catches, end the process
/// with a message. Call it before anything else. The process ends without destructors: its guard
/// ends child processes.
void install_failure_handlers();

}  // namespace kinf
