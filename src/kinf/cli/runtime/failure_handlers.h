// SPDX-License-Identifier: Apache-2.0
// Handlers for failures to allocate memory or to start a thread. They end the process with an error
// on stderr and exit code 1. They work in any thread.
#pragma once

namespace kinf {

/// Installs handlers for failed allocations, and for uncaught failures to start a thread. They end
/// the process with a message and run no destructors; the ProcessGuard then ends the child
/// processes. Call it before anything else.
void install_failure_handlers();

}  // namespace kinf
