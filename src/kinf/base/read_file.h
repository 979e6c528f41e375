// SPDX-License-Identifier: Apache-2.0
// Reads small files into memory: kubeconfigs, tokens, certificates. Error messages use Go's
// wording, which users know from kubectl.
#pragma once

#include <cstddef>
#include <string>

#include "kinf/base/error.h"

namespace kinf {

/// Returns the contents of a file. Blocks on the disk. If `path` is a pipe, blocks on its
/// writer, up to 10 s for each piece.
/// Errors: not_found if the file does not exist, otherwise usage, also if the file is larger than
/// `max_bytes`. Messages read `open PATH: permission denied`, `read PATH: is a directory`.
Result<std::string> read_file(const std::string& path, std::size_t max_bytes);

/// Like read_file(), but fails if `path` is a symbolic link or not a regular file. Does not block
/// on a pipe.
Result<std::string> read_regular_file(const std::string& path, std::size_t max_bytes);

/// Checks that the file can be opened for reading, again and again, so that it is not a pipe.
/// Returns the errors of read_file(). Does not block.
Result<> check_readable(const std::string& path);

}  // namespace kinf
