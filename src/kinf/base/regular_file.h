// SPDX-License-Identifier: Apache-2.0
// Opens files in folders that others may write to.
#pragma once

#include <string>

#include "kinf/base/error.h"
#include "kinf/base/file_descriptor.h"

namespace kinf {

/// Opens the regular file `path` with the flags of open(); a new file gets the mode 0600. Neither
/// follows a symbolic link nor waits for the other end of a pipe. Errors: not_found if the file
/// does not exist, otherwise internal, with the path and the reason.
Result<FileDescriptor> open_regular_file(const std::string& path, int flags);

}  // namespace kinf
