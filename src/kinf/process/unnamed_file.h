// SPDX-License-Identifier: Apache-2.0
// Opens files that have no name, for data that only the processes with a descriptor can read.
#pragma once

#include "kinf/base/file_descriptor.h"

namespace kinf {

/// Opens an empty file: in memory on Linux, elsewhere on the disk. On failure it is not open and
/// errno is set.
FileDescriptor open_unnamed_file();

/// Opens an empty file in the folder for temporary files and removes its name. Its mode is 0600. On
/// failure it is not open and errno is set.
FileDescriptor open_removed_file();

}  // namespace kinf
