// SPDX-License-Identifier: Apache-2.0
// Objects at rest, as `kubectl get` prints them: tables, one List document, names.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kinf/print/event_printer.h"

namespace kinf {

/// The objects of one type, in the order in which they are printed.
struct PrintedObjects {
  const ResourceType* resource = nullptr;
  std::vector<ObjectPtr> objects;
};

/// Takes the text piece by piece and may clear the string.
using TextSink = std::function<void(std::string& text)>;

/// `as_list`: JSON and YAML are a List even if there is but one object; without it there must be
/// exactly one. PrintOptions::with_events is not heeded.
void print_objects(const std::vector<PrintedObjects>& types, const PrintOptions& options,
                   bool as_list, Clock::Wall now, const TextSink& sink);

}  // namespace kinf
