// SPDX-License-Identifier: Apache-2.0
// Compares objects that kinf has decoded with simdjson with what nlohmann's parser finds.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/properties.h"

namespace kinf::fuzz {

/// Returns the document; nullopt if nlohmann's parser rejects it, or if a key occurs twice in one
/// object: parsers may then choose either value.
inline std::optional<nlohmann::json> reference_document(std::string_view text) {
  using Event = nlohmann::json::parse_event_t;
  std::vector<std::set<std::string>> open;
  bool is_unique = true;
  const auto watch = [&](int, Event event, nlohmann::json& value) {
    if (event == Event::object_start) open.emplace_back();
    if (event == Event::object_end) open.pop_back();
    if (event == Event::key) {
      is_unique = open.back().insert(value.get<std::string>()).second && is_unique;
    }
    return true;
  };
  nlohmann::json document = nlohmann::json::parse(text, watch, false);
  if (document.is_discarded() || !is_unique) return std::nullopt;
  return document;
}

inline void compare_text(const nlohmann::json& parent, const char* key, std::string_view text) {
  const auto found = parent.find(key);
  if (found != parent.end() && found->is_string()) {
    demand(found->get_ref<const std::string&>() == text);
  }
}

inline void compare_with_reference(const Object& object) {
  Scratch scratch;
  const auto document = reference_document(object.json(scratch));
  if (!document) return;
  demand(document->is_object() && document->contains("metadata"));
  const nlohmann::json& metadata = (*document)["metadata"];
  // The metadata of an object has the object's type.
  if (document->value("kind", nlohmann::json()) != "PartialObjectMetadata") {
    compare_text(*document, "kind", object.kind());
    compare_text(*document, "apiVersion", object.api_version());
  }
  compare_text(metadata, "name", object.name());
  compare_text(metadata, "namespace", object.ns());
  compare_text(metadata, "uid", object.uid());
  compare_text(metadata, "resourceVersion", object.resource_version());
  if (!metadata.contains("labels") || !metadata["labels"].is_object()) return;
  for (const auto& [key, value] : metadata["labels"].items()) {
    if (value.is_string()) demand(object.label(key) == value.get_ref<const std::string&>());
  }
}

}  // namespace kinf::fuzz
