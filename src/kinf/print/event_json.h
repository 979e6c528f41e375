// SPDX-License-Identifier: Apache-2.0
// A change as one line of JSON, around the document of its object. The document's bytes are the
// server's.
#pragma once

#include <string>
#include <string_view>

#include "kinf/api/change.h"
#include "kinf/api/group_version_resource.h"
#include "kinf/print/object_document.h"

namespace kinf {

/// Appends a document, on one line.
void append_document(std::string& out, const ObjectDocument& document);

/// Appends `{"type":…,"object":DOCUMENT,…}` without a line end, and `"old"` if that is given.
void append_event_json(std::string& out, const ResourceType& type, const Change& change,
                       const ObjectDocument& document, const ObjectDocument& old_document = {});

/// `list`, `watch`, `relist`, `resync`.
std::string_view source_word(ChangeSource source);

}  // namespace kinf
