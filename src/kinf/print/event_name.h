// SPDX-License-Identifier: Apache-2.0
// -o name: `pod/web-1` a line, with events `ADDED pod/web-1`.
#pragma once

#include "kinf/print/event_printer.h"

namespace kinf {

class EventName final : public EventPrinter {
 public:
  explicit EventName(const PrintOptions& options) : with_events_(options.with_events) {}
  void print(const ResourceType& type, const Change& change, Clock::Wall now,
             std::string& out) override;

 private:
  bool with_events_;
};

}  // namespace kinf
