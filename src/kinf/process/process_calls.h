// SPDX-License-Identifier: Apache-2.0
// What Linux can do with processes and other systems cannot. All functions make only system calls,
// so that they may run after fork or vfork.
#pragma once

#include <sys/types.h>

#include "kinf/base/file_descriptor.h"

namespace kinf {

/// The system kills this process when the thread that started it ends. Elsewhere than on Linux,
/// only a ProcessGuard does that.
void die_with_parent();

/// Sets the name that `ps` shows, of at most 15 bytes. Does nothing elsewhere than on Linux.
void name_process(const char* name);

/// Returns a descriptor that becomes readable when the process ends. It is not open if the system
/// has none: on Linux before 5.3, and elsewhere.
FileDescriptor watch_process(pid_t pid);

}  // namespace kinf
