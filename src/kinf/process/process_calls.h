// SPDX-License-Identifier: Apache-2.0
// The system calls for child processes. They hide the differences between Linux and other systems.
#pragma once

#include <sys/types.h>

#include "kinf/base/file_descriptor.h"

namespace kinf {

/// Makes the system kill this process when the thread that started it ends. Does nothing except on
/// Linux; elsewhere only a ProcessGuard ends the process.
void die_with_parent();

/// Sets the name that `ps` shows, of at most 15 bytes. Does nothing except on Linux.
void name_process(const char* name);

/// Returns a descriptor that becomes readable when the process ends. It is not open if the system
/// has none: on Linux before 5.3, and elsewhere.
FileDescriptor watch_process(pid_t pid);

enum class Closing { now, on_exec };

/// Closes the open descriptors from `first` to `last`, both included. Ignores errors. Makes only
/// system calls, so that it may run after fork or vfork.
void close_descriptors(unsigned first, unsigned last, Closing when);

/// Does the same with a call per descriptor, as systems without close_range() need. Covers only
/// the descriptors below the limit of the process, and at most the first 65536.
void close_descriptors_singly(unsigned first, unsigned last, Closing when);

/// Opens an empty file: in memory on Linux, elsewhere on the disk. On failure it is not open and
/// errno is set.
FileDescriptor open_unnamed_file();

/// Opens an empty file in the folder for temporary files and removes its name. Its mode is 0600. On
/// failure it is not open and errno is set.
FileDescriptor open_removed_file();

}  // namespace kinf
