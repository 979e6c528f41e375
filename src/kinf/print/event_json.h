// SPDX-License-Identifier: Apache-2.0
// Prints a change as one line of JSON. The line contains the object's document exactly as the
// server sent it.
#pragma once

#include <string>
#include <string_view>

#include "kinf/api/change.h"
#include "kinf/api/group_version_resource.h"
#include "kinf/print/event_printer.h"
#include "kinf/print/object_document.h"

namespace kinf {

/// Appends a document without line breaks.
void append_document(std::string& out, const ObjectDocument& document);

/// Members of an event that are left out if they are empty.
struct EventExtras {
  std::string diff{};          ///< appended as it is, such as `"diff":[…]`
  std::string_view cluster{};  ///< the context, if the command uses several
};

/// Appends `{"type":…,"object":DOCUMENT,…}` without a line end. Adds `old_document` as the member
/// `old` unless it is empty.
void append_event_json(std::string& out, const ResourceType& type, const Change& change,
                       const ObjectDocument& document, const ObjectDocument& old_document = {},
                       const EventExtras& extras = {});

/// Appends `{"type":"BOOKMARK","object":{…},…}` without a line end, in the form of the API server.
/// `cluster` is as in EventExtras.
void append_bookmark_json(std::string& out, const ResourceType& type, const Bookmark& bookmark,
                          std::string_view cluster = {});

/// Returns `list`, `watch`, `relist` or `resync`.
std::string_view source_word(ChangeSource source);

}  // namespace kinf
