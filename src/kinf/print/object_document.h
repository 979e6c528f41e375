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

/// Valid while the event's object and `scratch` are left alone. For an object that was never seen
/// a document of its type and name.
ObjectDocument object_document(const PrintedEvent& event, bool show_secrets, Scratch& scratch);

}  // namespace kinf
