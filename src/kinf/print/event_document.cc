// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/event_document.h"

#include "kinf/base/log.h"
#include "kinf/print/event_json.h"

namespace kinf {

EventDocument::EventDocument(const PrintOptions& options)
    : with_events_(options.with_events),
      show_secrets_(options.show_secrets),
      show_old_(options.show_old),
      diff_(options) {}

bool EventDocument::append(std::string& out, const ResourceType& type, const Change& change,
                           std::string_view cluster) {
  const ObjectDocument document = change_document(type, change, show_secrets_, scratch_);
  if (!is_valid(type, change, document)) return false;
  if (!with_events_) {
    append_document(out, document);
    return true;
  }
  ObjectDocument old_document;
  if (show_old_ && change.type != ChangeType::resync && change.old) {
    old_document = object_document(type, *change.old, show_secrets_, old_scratch_);
    if (!is_valid(type, change, old_document)) old_document = {};
  }
  append_event_json(out, type, change, document, old_document, {diff_field(type, change), cluster});
  return true;
}

bool EventDocument::is_valid(const ResourceType& type, const Change& change,
                             const ObjectDocument& document) {
  const Result<void> checked = check_.check(document.text);
  if (!checked) report_unprinted(type, change, checked.error());
  return checked.has_value();
}

void EventDocument::report_unprinted(const ResourceType& type, const Change& change,
                                     const Error& error) {
  ++unprinted_;
  log::warning("{} {}: {} event not printed: {}", type.gvr.resource, change.key,
               wire_word(change.type), error.message);
}

std::string EventDocument::diff_field(const ResourceType& type, const Change& change) {
  const ObjectDiff* const found = diff_.form() ? diff_.of(type, change) : nullptr;
  std::string field;
  if (found == nullptr) return field;
  if (diff_.form() == DiffForm::patch) {
    field = "\"patch\":";
    append_patch_json(field, *found);
  } else {
    field = "\"diff\":";
    append_diff_json(field, *found);
  }
  return field;
}

}  // namespace kinf
