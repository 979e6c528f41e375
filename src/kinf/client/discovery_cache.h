// SPDX-License-Identifier: Apache-2.0
// DiscoveryCache: keeps discovery documents on disk, so that the next run of the program resolves a
// type name without a request. Stores texts and does not read them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kinf/base/clock.h"

namespace kinf {

/// Each document is one file, readable by its owner only and replaced as a whole. If the folder
/// cannot be read or written, nothing is found or kept, and nothing fails.
/// Threads: one owner; other processes may use the same folder. find() and keep() block on the
/// disk.
class DiscoveryCache {
 public:
  /// How long a document is valid.
  static constexpr std::chrono::minutes kLifetime{10};

  /// The cache in `folder` for one user of one server. Does not touch the disk. `clock` must
  /// outlive it.
  DiscoveryCache(std::string_view folder, std::string server, std::string user, Clock& clock);

  /// Returns the document of `path` (`/api/v1`), unless it is older than kLifetime or belongs to
  /// another server or user.
  std::optional<std::string> find(std::string_view path) const;
  /// Stores the document of `path`. Creates the folder if needed.
  void keep(std::string_view path, std::string_view document) const;

 private:
  std::string file_of(std::string_view path) const;
  std::string head(std::string_view path) const;

  std::string folder_;
  std::string server_;
  std::string user_;
  Clock& clock_;
};

}  // namespace kinf
