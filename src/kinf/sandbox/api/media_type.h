// SPDX-License-Identifier: Apache-2.0
// Parses Accept headers as an API server does: JSON, with parameters for other representations.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kinf::sandbox {

struct MediaType {
  std::string as;  ///< `Table`, `PartialObjectMetadata`, `APIGroupDiscoveryList`; empty: plain JSON
  std::string group;
  std::string version;
  bool drop_managed_fields = false;  ///< `drop=metadata.managedFields` (KEP-5958)
};

/// Returns the first entry that the server supports, or nullopt if there is none. An empty header
/// accepts anything.
std::optional<MediaType> choose_media_type(std::string_view accept);

/// Returns `content_type` without its parameters.
std::string bare_media_type(std::string_view content_type);

}  // namespace kinf::sandbox
