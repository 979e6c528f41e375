// SPDX-License-Identifier: Apache-2.0
// Returns the JSON text of an object for printing: the bytes that the server sent, but with masked
// Secrets.
#pragma once

#include <memory>
#include <string_view>

#include "kinf/api/change.h"
#include "kinf/api/group_version_resource.h"
#include "kinf/base/error.h"

namespace kinf {

/// Finds documents that are not valid JSON. Decoding reads only the metadata of an object, so the
/// rest of its document is checked before it is printed. Reuses its buffers. Threads: one owner.
class JsonCheck {
 public:
  JsonCheck();
  ~JsonCheck();
  JsonCheck(const JsonCheck&) = delete;
  JsonCheck& operator=(const JsonCheck&) = delete;

  /// Fails with kind `protocol` if `json` is not one JSON value in valid UTF-8, or is nested deeper
  /// than limits::kPrintedDepth.
  Result<void> check(std::string_view json);

 private:
  struct Parser;  // keeps simdjson out of the header
  std::unique_ptr<Parser> parser_;
};

struct ObjectDocument {
  std::string_view text;
  bool one_line = false;  ///< whether `text` has no line breaks or other control characters
};

/// Returns the document of an object. The result is valid until the object or `scratch` changes.
ObjectDocument object_document(const ResourceType& type, const Object& object, bool show_secrets,
                               Scratch& scratch);
/// Logs that values of Secrets are masked, once per process, because a file of such output is no
/// backup. object_document() calls it for each Secret that it masks. Threads: any.
void note_masked_values();
/// Makes that text say that the values are not in the recording that is read. Threads: any.
void set_masked_in_recording();
/// Returns the document of the change's object. If the change has no object, the document has only
/// type, name and namespace.
ObjectDocument change_document(const ResourceType& type, const Change& change, bool show_secrets,
                               Scratch& scratch);

/// Returns `json`, the document of an object, as --neat prints it: on one line, so that a person
/// can read it and apply it again, and without these members:
/// - `status`, and in `metadata` uid, resourceVersion, generation, creationTimestamp, selfLink,
///   managedFields and the annotation of `kubectl apply`;
/// - the defaults of built-in types that depend on nothing but the type and this document, such as
///   `restartPolicy: Always`, and the token volume and the tolerations that every pod gets;
/// - annotations, strategies and lists that lose all their members by this.
/// All other values keep their text. Returns `json` unchanged if it is not a JSON object.
std::string neat_document(std::string_view json);

}  // namespace kinf
