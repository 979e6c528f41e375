// SPDX-License-Identifier: Apache-2.0
// Reads small files as a whole: kubeconfigs, tokens, certificates. Error messages are worded as in
// Go, because users know them from kubectl.
#pragma once

#include <cstddef>
#include <string>

#include "kinf/base/error.h"

namespace kinf {

/// The limit for files that contain a token.
inline constexpr std::size_t kMaxTokenBytes = 1 << 20;

/// Blocks on the disk (or on the writer, when `path` is a pipe). Errors: not_found if there is no
/// such file, else usage; `open PATH: permission denied`, `read PATH: is a directory`.
Result<std::string> read_file(const std::string& path, std::size_t max_bytes);

/// Whether the file could be opened for reading; same errors. Never blocks on a pipe.
Result<> check_readable(const std::string& path);

}  // namespace kinf
