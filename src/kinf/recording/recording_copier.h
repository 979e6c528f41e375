// SPDX-License-Identifier: Apache-2.0
// RecordingCopier: copies a part of a recording to a new file, and rescues what is intact of a
// damaged one.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"

namespace kinf {

/// The part to copy.
struct CopyOptions {
  std::optional<Clock::Wall> since;     ///< the copy begins with the state at this time
  std::optional<Clock::Wall> until;     ///< nothing that arrived later is copied
  std::vector<std::string> namespaces;  ///< empty means all objects
};

/// What was copied.
struct CopyResult {
  std::int64_t versions = 0;
  std::int64_t objects = 0;
  /// The versions that are damaged, or whose text is based on damaged ones.
  std::int64_t damaged = 0;
  std::string first_damaged;  ///< names the first of them
  std::int64_t bytes = 0;     ///< the size of the new file
};

/// Copies `from`, which a recorder may be writing, to the new file `to` (mode 0600). Versions are
/// copied as they are stored, in transactions of some thousand versions, so the memory does not
/// depend on the size of the file. A damaged version is left out, together with those that need its
/// text; a gap notes this. What a version needs besides, such as the names of objects, must be
/// intact. If copying fails, removes `to` if it created that file.
/// Errors: usage, if `to` exists; stopped; protocol; internal. Blocks on the disk.
Result<CopyResult> copy_recording(const std::string& from, const std::string& to,
                                  const CopyOptions& options, const std::stop_token& stop);

}  // namespace kinf
