// SPDX-License-Identifier: Apache-2.0
// Writing small files whole.
#pragma once

#include <string>
#include <string_view>

#include "kinf/base/error.h"

namespace kinf {

/// Writes `content` to `path`, in place of what was there. Only the owner may read the file (mode
/// 0600), because it may hold a token; this also holds for a file that existed with another mode.
/// Blocks on the disk. An internal error with the path and the reason.
Result<> write_private_file(const std::string& path, std::string_view content);

}  // namespace kinf
