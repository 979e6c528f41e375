// SPDX-License-Identifier: Apache-2.0
// ServerVersion: the version of an API server, as returned by GET /version.
#pragma once

#include <compare>
#include <optional>
#include <string_view>

namespace kinf {

struct ServerVersion {
  int major = 0;
  int minor = 0;

  friend auto operator<=>(const ServerVersion&, const ServerVersion&) = default;
};

/// Reads `gitVersion` (`v1.34.2+k3s1`) of a /version document. Returns nullopt if the document has
/// no such version or is larger than 64 KiB.
std::optional<ServerVersion> parse_server_version(std::string_view document);

}  // namespace kinf
