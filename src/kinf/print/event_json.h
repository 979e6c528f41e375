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
  void print(const PrintedEvent& event, Clock::Wall now, std::string& out) override;

 private:
  bool with_events_;
  bool show_secrets_;
  Scratch scratch_;
};

/// Appends `{"type":…,"object":DOCUMENT,…}` without a line end; with `"old"` if that is given.
void append_event_json(std::string& out, const PrintedEvent& event, const ObjectDocument& document,
                       const ObjectDocument& old_document = {});

/// `list`, `watch`, `relist`, `resync`.
std::string_view event_source_word(EventSource source);

}  // namespace kinf
