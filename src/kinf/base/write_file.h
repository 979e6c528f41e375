// SPDX-License-Identifier: Apache-2.0
// Writes small files.
#pragma once

#include <string>
#include <string_view>

#include "kinf/base/error.h"

namespace kinf {

/// Writes all of `content`. Returns false if the system refuses; errno says why. Blocks on the
/// disk.
bool write_fully(int descriptor, std::string_view content);

/// Replaces the contents of the file `path` with `content`. Sets its mode to 0600, also if the file
/// exists, because it may contain a token. Blocks on the disk. Errors: internal, with the path and
/// the reason.
Result<> write_private_file(const std::string& path, std::string_view content);

}  // namespace kinf
