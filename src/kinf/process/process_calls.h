// SPDX-License-Identifier: Apache-2.0
// The system calls for child processes, with the same interface on Linux and other systems.
#pragma once

#include <sys/types.h>

#include "kinf/base/file_descriptor.h"

namespace kinf {

/// Makes the system kill this process when the thread that started it ends. Works only on Linux. On
/// other systems this does nothing, and only a ProcessGuard ends the process.
void die_with_parent();

/// Sets the name that `ps` shows, of at most 15 bytes. Works only on Linux.
void name_process(const char* name);

/// Returns a descriptor that becomes readable when the process ends. The result is not open if the
/// system has no such descriptors (Linux before 5.3, and other systems).
FileDescriptor watch_process(pid_t pid);

enum class Closing { now, on_exec };

/// Closes the open descriptors from `first` to `last`, both included, at once or when exec is
/// called. Ignores errors. Makes only system calls, so that it may run after fork or vfork.
void close_descriptors(unsigned first, unsigned last, Closing when);

/// Like close_descriptors(), but makes one system call per descriptor, for systems without
/// close_range(). Covers only the descriptors below the limit of the process (RLIMIT_NOFILE), and
/// at most the first 65536.
void close_descriptors_singly(unsigned first, unsigned last, Closing when);

/// Opens an empty file: in memory on Linux, on the disk on other systems. On failure the result is
/// not open and errno is set.
FileDescriptor open_unnamed_file();

/// Opens an empty file in the folder for temporary files and removes its name. The mode of the file
/// is 0600. On failure the result is not open and errno is set.
FileDescriptor open_removed_file();

}  // namespace kinf
