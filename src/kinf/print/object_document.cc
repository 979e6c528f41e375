// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/object_document.h"

#include <fmt/format.h>

#include "kinf/api/object.h"
#include "kinf/base/json_string.h"
#include "kinf/base/log.h"
#include "kinf/print/secret_mask.h"

namespace kinf {
namespace {

/// Returns a document that contains only type, name and namespace.
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

ObjectDocument object_document(const ResourceType& type, const Object& object, bool show_secrets,
                               Scratch& scratch) {
  const std::string_view document = object.json(scratch);
  if (show_secrets || !is_secret_type(type)) return {document, object.is_one_line()};
  Result<std::string> masked = mask_secret(document);
  if (!masked) {
    log::warning("secrets: cannot mask {}, printing only its name: {}", object.key(),
                 masked.error().message);
    masked = name_only(type, object.key());
  }
  scratch = *std::move(masked);
  return {scratch};
}

ObjectDocument change_document(const ResourceType& type, const Change& change, bool show_secrets,
                               Scratch& scratch) {
  if (change.object) return object_document(type, *change.object, show_secrets, scratch);
  scratch = name_only(type, change.key);
  return {scratch};
}

}  // namespace kinf
