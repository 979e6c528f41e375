// SPDX-License-Identifier: Apache-2.0
// DiscoveryCache: what a server said of its types, kept on disk between two calls of the program:
// a word of the user is then resolved without a request. Holds texts, understands none of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kinf/base/clock.h"

namespace kinf {

/// Each document is a file of its own, replaced as a whole, readable by its owner only. A cache
/// that cannot be read or written is no cache; nothing fails for it.
/// Threads: one owner; other processes may use the same folder.
class DiscoveryCache {
 public:
  static constexpr std::chrono::minutes kLifetime{10};

  /// Below `folder`, for one user of one server. Makes folders only when something is kept.
  DiscoveryCache(std::string_view folder, std::string server, std::string user, Clock& clock);

  /// The document of `path` (`/api/v1`), unless it is older than kLifetime or says that it is
  /// another server's or user's.
  std::optional<std::string> find(std::string_view path) const;
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
