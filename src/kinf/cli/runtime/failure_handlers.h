// SPDX-License-Identifier: Apache-2.0
// Handlers that end the process when the system has no more memory or threads: with an error on
// stderr and exit code 1. They work in any thread.
#pragma once

namespace kinf {

/// Installs handlers for a failed allocation and for a failed start of a thread that is not caught.
/// They end the process with a message and run no destructors; the ProcessGuard then ends the child
/// processes. Call it before anything else.
void install_failure_handlers();

}  // namespace kinf
