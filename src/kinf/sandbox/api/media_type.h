// SPDX-License-Identifier: Apache-2.0
// The Accept header as an API server reads it: JSON, with parameters that ask for another form.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kinf::sandbox {

struct MediaType {
  std::string as;  ///< `Table`, `PartialObjectMetadata`, `APIGroupDiscoveryList`; empty: as it is
  std::string group;
  std::string version;
};

/// The first entry that can be served: JSON in a known form. An empty header takes anything;
/// empty if nothing fits.
std::optional<MediaType> choose_media_type(std::string_view accept);

/// The part of a Content-Type before its parameters.
std::string bare_media_type(std::string_view content_type);

}  // namespace kinf::sandbox
