// SPDX-License-Identifier: Apache-2.0
// Returns the JSON text of an object for printing: the bytes that the server sent, but with masked
// Secrets.
#pragma once

#include <string_view>

#include "kinf/print/event_printer.h"

namespace kinf {

struct ObjectDocument {
  std::string_view text;
  bool one_line = false;  ///< whether it has no line breaks or other control characters
};

/// Returns the document of an object. The result is valid until the object or `scratch` changes.
ObjectDocument object_document(const ResourceType& type, const Object& object, bool show_secrets,
                               Scratch& scratch);
/// Returns the document of the change's object. If the change has no object, the document has only
/// type, name and namespace.
ObjectDocument change_document(const ResourceType& type, const Change& change, bool show_secrets,
                               Scratch& scratch);

}  // namespace kinf
