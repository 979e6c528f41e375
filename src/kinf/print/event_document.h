// SPDX-License-Identifier: Apache-2.0
// The JSON of a change: only the object, or an event {"type","object",…}. It contains the object's
// document exactly as the server sent it, except that Secrets are masked.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "kinf/api/change.h"
#include "kinf/api/group_version_resource.h"
#include "kinf/print/object_document.h"
#include "kinf/print/shown_diff.h"

namespace kinf {

struct Bookmark;
struct Gap;
struct PrintOptions;

/// Members of an event that are left out if they are empty.
struct EventExtras {
  std::string diff{};          ///< appended as it is, such as `"diff":[…]`
  std::string_view cluster{};  ///< the kubeconfig context; empty if the command uses only one
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

/// Appends `{"type":"GAP","object":{"begin":…,"end":…,"reason":…,"resources":[…]},"time":…}`
/// without a line end. The time is the end of the gap.
void append_gap_json(std::string& out, const Gap& gap);

/// Returns `list`, `watch`, `relist` or `resync`.
std::string_view source_word(ChangeSource source);

/// Formats changes as JSON. Checks the documents, and adds the members that PrintOptions selects.
/// Threads: one owner.
class EventDocument {
 public:
  explicit EventDocument(const PrintOptions& options);

  /// Appends one line without a line end: the object, or the event if PrintOptions::with_events.
  /// `cluster` is as in EventExtras. Returns false, and appends nothing, if the document of the
  /// object is damaged.
  bool append(std::string& out, const ResourceType& type, const Change& change,
              std::string_view cluster);

  /// Logs a change that could not be printed.
  void report_unprinted(const ResourceType& type, const Change& change, const Error& error);
  /// Returns the number of changes that report_unprinted() logged.
  std::size_t unprinted() const { return unprinted_; }

 private:
  /// With PrintOptions::neat, replaces the document by its neat form, which `neat` holds.
  void make_neat(ObjectDocument& document, std::string& neat) const;
  bool is_valid(const ResourceType& type, const Change& change, const ObjectDocument& document);
  /// Returns `"diff":[…]` or `"patch":[…]` of an update; empty if there is none.
  std::string diff_field(const ResourceType& type, const Change& change);

  const bool with_events_;
  const bool show_secrets_;
  const bool show_old_;
  const bool neat_;
  ShownDiff diff_;
  JsonCheck check_;
  std::size_t unprinted_ = 0;
  Scratch scratch_;
  Scratch old_scratch_;
  std::string neat_text_;
  std::string old_neat_text_;
};

}  // namespace kinf
