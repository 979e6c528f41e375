// SPDX-License-Identifier: Apache-2.0
// Prints objects as `kubectl get` does: tables, one List document, or names.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kinf/print/event_printer.h"

namespace kinf {

/// The objects of one type, in the order of printing.
struct PrintedObjects {
  const ResourceType* resource = nullptr;
  std::vector<ObjectPtr> objects;
};

/// Gets the text in pieces. It may clear the string; what it leaves comes again with the next
/// piece.
using TextSink = std::function<void(std::string& text)>;

/// Prints all objects to `sink`. `as_list`: JSON and YAML are a List; without it there must be
/// exactly one object. PrintOptions::with_events has no effect. Ages are counted up to `now`. A
/// document that cannot be read is left out, with a warning in the log.
void print_objects(const std::vector<PrintedObjects>& types, const PrintOptions& options,
                   bool as_list, Clock::Wall now, const TextSink& sink);

}  // namespace kinf
