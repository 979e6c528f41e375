// SPDX-License-Identifier: Apache-2.0
// -o yaml: one document an event, each with its `---` behind it, so that a reader knows at once
// that a document is whole.
#pragma once

#include "kinf/print/event_printer.h"

namespace kinf {

class EventYaml final : public EventPrinter {
 public:
  explicit EventYaml(const PrintOptions& options)
      : with_events_(options.with_events), show_secrets_(options.show_secrets) {}
  void print(const ResourceType& type, const Change& change, Clock::Wall now,
             std::string& out) override;

 private:
  bool with_events_;
  bool show_secrets_;
  Scratch scratch_;
};

}  // namespace kinf
