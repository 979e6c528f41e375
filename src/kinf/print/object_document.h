// SPDX-License-Identifier: Apache-2.0
// The JSON text of an object as it may be shown: the server's own bytes, Secrets masked.
#pragma once

#include <string_view>

#include "kinf/print/event_printer.h"

namespace kinf {

struct ObjectDocument {
  std::string_view text;
  bool one_line = false;  ///< known to have no control characters
};

/// Valid as long as the object and `scratch` are unchanged.
ObjectDocument object_document(const ResourceType& type, const Object& object, bool show_secrets,
                               Scratch& scratch);
/// The document of the change's object; of an object never seen, one with its type and name.
ObjectDocument change_document(const ResourceType& type, const Change& change, bool show_secrets,
                               Scratch& scratch);

}  // namespace kinf
