// SPDX-License-Identifier: Apache-2.0
// -o json: one JSON object a line. With events {"type","object",…}, else the object alone. The
// object's bytes are the server's.
#pragma once

#include "kinf/print/event_printer.h"
#include "kinf/print/object_document.h"

namespace kinf {

class EventJson final : public EventPrinter {
 public:
  explicit EventJson(const PrintOptions& options)
      : with_events_(options.with_events), show_secrets_(options.show_secrets) {}
  void print(const ResourceType& type, const Change& change, Clock::Wall now,
             std::string& out) override;

 private:
  bool with_events_;
  bool show_secrets_;
  Scratch scratch_;
};

/// Appends `{"type":…,"object":DOCUMENT,…}` without a line end, and `"old"` if that is given.
void append_event_json(std::string& out, const ResourceType& type, const Change& change,
                       const ObjectDocument& document, const ObjectDocument& old_document = {});

/// `list`, `watch`, `relist`, `resync`.
std::string_view source_word(ChangeSource source);

}  // namespace kinf
