// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/object_document.h"

#include <simdjson.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <tuple>

#include "kinf/base/json_string.h"
#include "kinf/base/limits.h"
#include "kinf/base/log.h"
#include "kinf/print/secret_mask.h"

namespace kinf {
namespace {

std::atomic<bool> masked_in_recording = false;

/// Returns a document that contains only type, name and namespace.
std::string name_only(const ResourceType& type, std::string_view key) {
  const std::size_t slash = key.find('/');
  const bool has_namespace = slash != std::string_view::npos;
  std::string out = "{";
  append_json_member(out, "apiVersion", type.api_version());
  append_json_member(out, "kind", type.kind);
  out += ",\"metadata\":{";
  append_json_member(out, "name", has_namespace ? key.substr(slash + 1) : key);
  if (has_namespace) append_json_member(out, "namespace", key.substr(0, slash));
  return out + "}}";
}

}  // namespace

void set_masked_in_recording() { masked_in_recording = true; }

void note_masked_values() {
  static std::atomic_flag noted;
  if (noted.test_and_set()) return;
  if (masked_in_recording) {
    log::notice("the recording has no values of Secrets, only their lengths");
  } else {
    log::notice("the values of Secrets are masked; --show-secrets prints them");
  }
}

struct JsonCheck::Parser {
  Parser() { std::ignore = simdjson.allocate(0, limits::kPrintedDepth); }

  simdjson::dom::parser simdjson;
};

JsonCheck::JsonCheck() : parser_(std::make_unique<Parser>()) {}
JsonCheck::~JsonCheck() = default;

Result<void> JsonCheck::check(std::string_view json) {
  const simdjson::error_code error = parser_->simdjson.parse(json.data(), json.size()).error();
  if (error == simdjson::SUCCESS) return {};
  if (error == simdjson::DEPTH_ERROR) {
    // simdjson counts the depth of an innermost empty list or object differently, so count again.
    if (json_depth(json) <= limits::kPrintedDepth && nlohmann::json::accept(json)) return {};
    return fail(ErrorKind::protocol, "the server sent invalid JSON: the nesting is too deep");
  }
  // simdjson also refuses integers above 2^64, which are valid JSON. nlohmann's parser accepts
  // them, but would also accept invalid text after a zero byte.
  if (error == simdjson::NUMBER_ERROR && json.find('\0') == std::string_view::npos &&
      nlohmann::json::accept(json)) {
    return {};
  }
  return fail(ErrorKind::protocol, "the server sent invalid JSON: {}",
              simdjson::error_message(error));
}

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
  if (*masked != document) note_masked_values();
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
