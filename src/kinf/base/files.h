// SPDX-License-Identifier: Apache-2.0
// Opens, reads and writes small files: kubeconfigs, tokens, certificates, caches. Error messages of
// read_file() use Go's wording, which users know from kubectl.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>

#include "kinf/base/error.h"
#include "kinf/base/file_descriptor.h"

namespace kinf {

/// Opens the regular file `path` with the flags of open(); a new file gets the mode 0600. Does not
/// follow a symbolic link, and does not wait for the other end of a pipe. Errors: not_found if the
/// file does not exist, otherwise internal, with the path and the reason.
Result<FileDescriptor> open_regular_file(const std::string& path, int flags);

/// Returns the contents of a file. Blocks on the disk. If `path` is a pipe or a terminal, waits for
/// its writer, at most limits::kPipeTime before each read and limits::kWholePipeTime altogether.
/// Errors: not_found if the file does not exist; stopped; otherwise usage, for example if the file
/// is larger than `max_bytes`. Messages read `open PATH: permission denied`, `read PATH: is a
/// directory`.
Result<std::string> read_file(const std::string& path, std::size_t max_bytes,
                              const std::stop_token& stop = {});

/// Returns what the standard input holds until its end. Blocks on its writer, without a limit.
/// Errors: usage, for example for more than `max_bytes`.
Result<std::string> read_standard_input(std::size_t max_bytes);

/// Like read_file(), but fails if `path` is a symbolic link or not a regular file. Does not block
/// on a pipe.
Result<std::string> read_regular_file(const std::string& path, std::size_t max_bytes);

/// Checks that the file can be opened for reading and is not a pipe, so that it can be read more
/// than once. Returns the errors of read_file(), and a usage error for a pipe. Does not block.
Result<void> check_readable(const std::string& path);

/// Creates the folder `path` and the folders above it that do not exist, with the mode 0700
/// whatever the umask is. Reports nothing: writing a file into the folder fails with the reason.
void make_private_folders(const std::string& path);

/// Writes all of `content`. Returns false and sets errno on failure. Blocks on the disk.
bool write_fully(int descriptor, std::string_view content);

/// Replaces the contents of the file `path` with `content`. Sets the mode to 0600 even if the file
/// already exists, because `content` may contain a token. Blocks on the disk. Errors: internal,
/// with the path and the reason.
Result<void> write_private_file(const std::string& path, std::string_view content);

}  // namespace kinf
