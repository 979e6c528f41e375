// SPDX-License-Identifier: Apache-2.0
// Prints objects as `kubectl get` does: in a table, as one List document, or as lines. Also sorts
// them (--sort-by).
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "kinf/print/event_printer.h"
#include "kinf/query/sort_order.h"

namespace kinf {

/// The objects of one type in one cluster, in the order of printing. Consecutive entries of the
/// same type share a table.
struct PrintedObjects {
  const ResourceType* resource = nullptr;
  std::vector<ObjectPtr> objects;
  std::string cluster{};  ///< the cluster to print if PrintOptions::with_cluster is set
};

/// Receives the text in pieces. The sink may clear the string; if it does not, the next piece is
/// appended to the string.
using TextSink = std::function<void(std::string& text)>;

/// Prints all objects to `sink`. If `as_list`, prints JSON and YAML as one List, and applies a
/// JSONPath to that List. Otherwise, these formats need exactly one object. Ignores
/// PrintOptions::with_events. Ages are relative to `now`. Returns the number of objects that were
/// left out because their documents are damaged, and logs each of them. Fails with kind `protocol`
/// if a JSONPath cannot be applied.
Result<std::size_t> print_objects(const std::vector<PrintedObjects>& types,
                                  const PrintOptions& options, bool as_list, Clock::Wall now,
                                  const TextSink& sink);

struct ObjectsText {
  std::string text;
  std::size_t damaged = 0;  ///< objects that are left out because their documents are damaged
};

/// Returns the text that print_objects() prints.
Result<ObjectsText> objects_text(const std::vector<PrintedObjects>& types,
                                 const PrintOptions& options, bool as_list, Clock::Wall now);

/// Returns the objects whose documents are damaged. Logs each of them.
std::set<const Object*> damaged_objects(const ResourceType& type,
                                        const std::vector<ObjectPtr>& objects, bool show_secrets);

/// Sorts the rows of a table as the server does. It sends FlowSchemas by precedence, and all other
/// types by key, in which order `objects` must be.
void sort_rows(const ResourceType& type, std::vector<ObjectPtr>& objects);

/// The objects that are sorted together.
enum class SortScope {
  table,  ///< the objects of each table, that is, of consecutive entries of the same type
  all,
};

/// Sorts the objects by `order`, even across clusters. Afterwards, each entry of `types` has one
/// object. An empty order changes nothing. Fails like SortOrder::positions(); `types` is then
/// unspecified.
Result<void> sort_objects(std::vector<PrintedObjects>& types, const SortOrder& order,
                          SortScope scope);

}  // namespace kinf
