// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/object_document.h"

#include <fmt/format.h>

#include "kinf/api/object_key.h"
#include "kinf/base/json_string.h"
#include "kinf/base/log.h"
#include "kinf/print/secret_mask.h"

namespace kinf {
namespace {

std::string name_only(const ResourceType& type, std::string_view key) {
  const std::size_t slash = key.find('/');
  const bool has_namespace = slash != std::string_view::npos;
  std::string out = "{\"apiVersion\":";
  append_json_string(out, type.api_version());
  out += ",\"kind\":";
  append_json_string(out, type.kind);
  out += ",\"metadata\":{\"name\":";
  append_json_string(out, has_namespace ? key.substr(slash + 1) : key);
  if (has_namespace) {
    out += ",\"namespace\":";
    append_json_string(out, key.substr(0, slash));
  }
  out += "}}";
  return out;
}

}  // namespace

ObjectDocument object_document(const PrintedEvent& event, bool show_secrets, Scratch& scratch) {
  if (!event.object) {
    scratch = name_only(*event.resource, event.key);
    return {scratch};
  }
  const std::string_view document = event.object->json(scratch);
  if (show_secrets || !is_secret_type(*event.resource)) {
    return {document, event.object->is_one_line()};
  }
  Result<std::string> masked = mask_secret(document);
  if (!masked) {
    log::warning("secrets: {} is not shown: {}", event.object->key(), masked.error().message);
    masked = name_only(*event.resource, event.object->key());
  }
  scratch = *std::move(masked);
  return {scratch};
}

}  // namespace kinf
