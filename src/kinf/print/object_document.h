// SPDX-License-Identifier: Apache-2.0
// The JSON text of an object as it may be shown: the bytes of the server, with Secrets masked.
#pragma once

#include <string_view>

#include "kinf/print/event_printer.h"

namespace kinf {

struct ObjectDocument {
  std::string_view text;
  bool one_line = false;  ///< has no line breaks or other control characters
};

/// Returns the document of an object. Valid as long as the object and `scratch` are unchanged.
ObjectDocument object_document(const ResourceType& type, const Object& object, bool show_secrets,
                               Scratch& scratch);
/// Returns the document of the change's object; for an object that was never seen, one with only
/// its type and name.
ObjectDocument change_document(const ResourceType& type, const Change& change, bool show_secrets,
                               Scratch& scratch);

}  // namespace kinf
