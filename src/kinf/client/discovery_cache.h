// SPDX-License-Identifier: Apache-2.0
// DiscoveryCache: stores discovery documents on disk, so that the next run of kinf can resolve a
// type name without a request. Does not parse the documents.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kinf/base/clock.h"

namespace kinf {

/// Each document is a file that only its owner can read, and that is replaced atomically. If the
/// folder cannot be read or written, the cache is empty; no function fails.
/// Threads: one owner; other processes may use the same folder. find() and keep() block on the
/// disk.
class DiscoveryCache {
 public:
  /// How long a document is valid.
  static constexpr std::chrono::minutes kLifetime{10};

  /// Uses `folder` for documents of one user on one server. Does not access the disk. `clock` must
  /// outlive the cache.
  DiscoveryCache(std::string_view folder, std::string server, std::string user, Clock& clock);

  /// Returns the document of `path` (`/api/v1`). Returns nullopt if there is none for this server
  /// and user, or if it is older than kLifetime.
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
