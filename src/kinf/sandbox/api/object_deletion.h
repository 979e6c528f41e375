// SPDX-License-Identifier: Apache-2.0
// Functions for deletions: they check the deletionTimestamp, finalizers and preconditions, and
// remove finalizers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kinf/sandbox/api/api_errors.h"
#include "kinf/sandbox/api/api_types.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

/// Finalizers of the garbage collector.
constexpr const char* kOrphanFinalizer = "orphan";
constexpr const char* kForegroundFinalizer = "foregroundDeletion";

inline bool is_deleting(const Json& object) {
  return !field(object, "metadata", "deletionTimestamp").is_null();
}

inline bool has_finalizers(const Json& object) {
  return !elements(field(object, "metadata", "finalizers")).empty();
}

bool has_finalizer(const Json& object, std::string_view name);
/// Removes the items of the list `metadata[list]` for which `is_dropped` returns true. Removes the
/// list itself if it becomes empty.
template <class IsDropped>
void drop_items(Json& object, const char* list, IsDropped is_dropped) {
  Json& metadata = object["metadata"];
  Json kept = Json::array();
  for (const Json& each : elements(field(metadata, list))) {
    if (!is_dropped(each)) kept.push_back(each);
  }
  metadata.erase(list);
  if (!kept.empty()) metadata[list] = std::move(kept);
}
void drop_finalizer(Json& object, std::string_view name);

/// Returns whether the resourceVersion in `written`, a new state or a patch, differs from that of
/// `current`. Returns false if `written` has no resourceVersion.
bool is_outdated(const Json& written, const Json& current);

/// Checks a precondition of a deletion. Returns 409 if `wanted` is not empty and differs from the
/// member `key` of the object's metadata. `name` is the name of the precondition in the message.
std::optional<ApiStatus> check_precondition(const ApiType& type, const Json& object,
                                            std::string_view name, std::string_view key,
                                            const std::string& wanted);

}  // namespace kinf::sandbox
