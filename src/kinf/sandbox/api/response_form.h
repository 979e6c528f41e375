// SPDX-License-Identifier: Apache-2.0
// ResponseForm: the form in which a client wants to receive objects: complete objects, only their
// metadata, or Table rows, each with or without managedFields. Writes objects, lists and watch
// events in this form.
// The Table columns and cells of built-in types are defined in kinf/columns; those of recorded
// types are in the recording.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/sandbox/api/api_errors.h"
#include "kinf/sandbox/api/api_types.h"
#include "kinf/sandbox/store/resource_store.h"

namespace kinf::sandbox {

enum class ObjectView { whole, metadata, table };
/// The part of the object that a Table row includes (includeObject).
enum class RowObject { none, metadata, whole };

struct ListMetadata {
  std::string version;  ///< resourceVersion of the list
  std::string continue_token;
  std::optional<std::size_t> remaining;  ///< remainingItemCount; empty if unknown or 0
};

class ResponseForm {
 public:
  /// Chooses the form from the Accept header and the parameter includeObject. Fails with 406 if the
  /// server supports none of the media types, and with 400 if includeObject is invalid.
  static ApiResult<ResponseForm> negotiate(std::string_view accept, std::string_view include,
                                           ApiTypePtr type);

  std::string list_text(const std::vector<StoredPtr>& objects, const ListMetadata& metadata,
                        Clock::Wall now) const;

  /// Returns the text of an object in a response or watch event. A Table has column definitions
  /// only if `with_columns` is true.
  std::string object_text(const StoredObject& object, Clock::Wall now,
                          bool with_columns = true) const;
  /// Returns the text of the object in a bookmark, which is empty except for its resourceVersion.
  std::string bookmark_text(std::uint64_t version, bool initial_events_end, Clock::Wall now,
                            bool with_columns) const;

 private:
  ResponseForm(ApiTypePtr type, ObjectView view, RowObject row_object, bool drop_managed_fields)
      : type_(std::move(type)),
        view_(view),
        row_object_(row_object),
        drop_managed_fields_(drop_managed_fields) {}

  /// Returns the text of the complete object.
  std::string whole_text(const StoredObject& object) const;
  /// Returns the text of the object as PartialObjectMetadata.
  std::string metadata_text(const Json& object) const;
  /// Returns the text of the object as a list item.
  std::string item_text(const StoredObject& object) const;

  std::string table_text(const std::vector<const StoredObject*>& objects,
                         const ListMetadata& metadata, Clock::Wall now, bool with_columns) const;

  ApiTypePtr type_;
  ObjectView view_;
  RowObject row_object_;
  bool drop_managed_fields_;
};

/// Returns a watch event: `{"type":TYPE,"object":OBJECT}` and a line feed.
std::string event_text(std::string_view type, std::string_view object);

/// Returns the columnDefinitions of a Table.
Json column_definitions(const ApiType& type);

/// Returns a row with `cells` and, if there are any, `conditions`. The cells of a recorded row are
/// those that the recorded server sent, except that ages are computed for `now`.
Json table_row(const ApiType& type, const StoredObject& object, Clock::Wall now);

}  // namespace kinf::sandbox
