// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/media_type.h"

#include <utility>

#include "kinf/base/ascii.h"

namespace kinf::sandbox {
namespace {

/// Removes the text up to the next `separator` from the front of `rest` and returns it.
std::string_view take(std::string_view& rest, char separator) {
  const std::size_t end = rest.find(separator);
  const std::string_view part = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return trimmed(part);
}

/// Returns whether the server supports this representation in this version.
bool is_known(const MediaType& media) {
  if (media.as.empty()) return true;
  if (media.as == "APIGroupDiscoveryList") {
    return media.group == "apidiscovery.k8s.io" && media.version == "v2";
  }
  return (media.as == "Table" || media.as == "PartialObjectMetadata" ||
          media.as == "PartialObjectMetadataList") &&
         media.group == "meta.k8s.io" && media.version == "v1";
}

/// Returns whether a value of `drop`, which may name several fields, contains managedFields. Other
/// fields are ignored.
bool drops_managed_fields(std::string_view fields) {
  while (!fields.empty()) {
    if (take(fields, '+') == "metadata.managedFields") return true;
  }
  return false;
}

std::optional<MediaType> parse_entry(std::string_view entry) {
  const std::string_view type = take(entry, ';');
  if (type != "application/json" && type != "*/*" && type != "application/*") {
    return std::nullopt;
  }
  MediaType media;
  while (!entry.empty()) {
    std::string_view value = take(entry, ';');
    const std::string_view name = take(value, '=');
    if (name == "as") media.as = value;
    if (name == "g") media.group = value;
    if (name == "v") media.version = value;
    if (name == "drop") media.drop_managed_fields = drops_managed_fields(value);
  }
  return is_known(media) ? std::optional(std::move(media)) : std::nullopt;
}

}  // namespace

std::optional<MediaType> choose_media_type(std::string_view accept) {
  if (trimmed(accept).empty()) return MediaType{};
  while (!accept.empty()) {
    if (auto media = parse_entry(take(accept, ','))) return media;
  }
  return std::nullopt;
}

std::string bare_media_type(std::string_view content_type) {
  return std::string(take(content_type, ';'));
}

}  // namespace kinf::sandbox
