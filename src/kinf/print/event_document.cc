// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/event_document.h"

#include <fmt/format.h>

#include <chrono>

#include "kinf/api/gap.h"
#include "kinf/base/json_string.h"
#include "kinf/base/log.h"
#include "kinf/base/timestamp.h"
#include "kinf/print/diff_text.h"
#include "kinf/print/event_printer.h"
#include "kinf/print/json_tree.h"

namespace kinf {
namespace {

void append_time(std::string& out, Clock::Wall time) {
  out += ",\"time\":\"";
  append_timestamp(out, std::chrono::floor<std::chrono::milliseconds>(time));
  out += '"';
}

/// Appends a document without line breaks.
void append_document(std::string& out, const ObjectDocument& document) {
  if (document.one_line) {
    out += document.text;
  } else {
    append_one_line(out, document.text);
  }
}

}  // namespace

std::string_view source_word(ChangeSource source) {
  // The words are in the order of ChangeSource.
  constexpr std::string_view kWords[] = {"list", "watch", "relist", "resync"};
  static_assert(std::size(kWords) == static_cast<std::size_t>(ChangeSource::resync) + 1);
  return kWords[static_cast<std::size_t>(source)];
}

void append_event_json(std::string& out, const ResourceType& type, const Change& change,
                       const ObjectDocument& document, const ObjectDocument& old_document,
                       const EventExtras& extras) {
  out += "{\"type\":\"";
  out += wire_word(change.type);
  out += "\",\"object\":";
  append_document(out, document);
  if (!old_document.text.empty()) {
    out += ",\"old\":";
    append_document(out, old_document);
  }
  if (!extras.diff.empty()) out.append(",").append(extras.diff);
  if (change.final_state_unknown) out += ",\"finalStateUnknown\":true";
  if (change.recreated) out += ",\"recreated\":true";
  append_time(out, change.origin.arrived);
  append_json_member(out, "source", source_word(change.origin.source));
  append_json_member(out, "resource", type.gvr.group_resource());
  append_json_member(out, "key", change.key);
  if (!extras.cluster.empty()) append_json_member(out, "cluster", extras.cluster);
  const std::string_view manager = change.manager();
  if (!manager.empty()) append_json_member(out, "manager", manager);
  if (change.folded > 0) fmt::format_to(std::back_inserter(out), ",\"folded\":{}", change.folded);
  out += '}';
}

void append_bookmark_json(std::string& out, const ResourceType& type, const Bookmark& bookmark,
                          std::string_view cluster) {
  out += "{\"type\":\"BOOKMARK\",\"object\":{";
  append_json_member(out, "apiVersion", type.api_version());
  append_json_member(out, "kind", type.kind);
  out += ",\"metadata\":{";
  append_json_member(out, "resourceVersion", bookmark.resource_version);
  out += ",\"creationTimestamp\":null";
  if (bookmark.ends_initial_list) {
    out += ",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}";
  }
  out += "}}";
  append_time(out, bookmark.time);
  append_json_member(out, "source", bookmark.ends_initial_list ? "list" : "watch");
  append_json_member(out, "resource", type.gvr.group_resource());
  if (!cluster.empty()) append_json_member(out, "cluster", cluster);
  out += '}';
}

void append_gap_json(std::string& out, const Gap& gap) {
  const auto moment = [](Clock::Wall time) {
    return timestamp_text(std::chrono::floor<std::chrono::milliseconds>(time));
  };
  out += "{\"type\":\"GAP\",\"object\":{";
  append_json_member(out, "begin", moment(gap.begin));
  append_json_member(out, "end", moment(gap.end));
  append_json_member(out, "reason", gap.reason);
  out += ",\"resources\":[";
  for (const std::string& resource : gap.resources) {
    if (&resource != &gap.resources.front()) out += ',';
    append_json_string(out, resource);
  }
  out += "]}";
  append_time(out, gap.end);
  out += '}';
}

EventDocument::EventDocument(const PrintOptions& options)
    : with_events_(options.with_events),
      show_secrets_(options.show_secrets),
      show_old_(options.show_old),
      neat_(options.neat),
      diff_(options) {}

bool EventDocument::append(std::string& out, const ResourceType& type, const Change& change,
                           std::string_view cluster) {
  ObjectDocument document = change_document(type, change, show_secrets_, scratch_);
  if (!is_valid(type, change, document)) return false;
  make_neat(document, neat_text_);
  if (!with_events_) {
    append_document(out, document);
    return true;
  }
  ObjectDocument old_document;
  if (show_old_ && change.type != ChangeType::resync && change.old) {
    old_document = object_document(type, *change.old, show_secrets_, old_scratch_);
    if (!is_valid(type, change, old_document)) old_document = {};
    make_neat(old_document, old_neat_text_);
  }
  append_event_json(out, type, change, document, old_document, {diff_field(type, change), cluster});
  return true;
}

void EventDocument::make_neat(ObjectDocument& document, std::string& neat) const {
  if (!neat_ || document.text.empty()) return;
  neat = neat_document(document.text);
  document = {neat};
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
