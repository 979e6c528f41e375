// SPDX-License-Identifier: Apache-2.0
// FieldWriters: who set the fields of an object, from metadata.managedFields, in a few bytes for
// each entry. The writers of two versions tell who made the change between them.
// Source: KEP-555; apimachinery, managedfields/internal/managedfieldsupdater.go: an update that
// only removes fields changes no time of an entry, and neither do bindings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kinf {

/// An entry of metadata.managedFields.
struct ManagedFieldsEntry {
  std::string_view manager{};
  std::string_view operation{};
  std::string_view subresource{};
  std::string_view api_version{};
  std::string_view time{};
  std::string_view fields{};  ///< the JSON text of fieldsV1

  /// Returns the member that holds the string with this name in the JSON, or null.
  std::string_view* text(std::string_view name);
};

/// Packs the entries of one object after another, and reuses its buffers.
/// Threads: one owner.
class FieldWriters {
 public:
  /// Forgets the entries of the previous object.
  void clear() { entries_.clear(); }
  /// Adds an entry. Keeps views of its manager and subresource, and a hash of the rest. Of the
  /// entries of an object, only the newest limits::kFieldWriters are kept.
  void add(const ManagedFieldsEntry& entry);
  /// Returns the entries as bytes for ObjectFacts::manager, the newest first; empty if there is no
  /// entry. Of entries with the same time, the last in the document is the newest. The views that
  /// add() kept must still be valid; the result is valid until the next call.
  std::string_view packed();

 private:
  struct Entry {
    std::uint32_t identity = 0;  ///< a hash of manager, operation, subresource and apiVersion
    std::uint32_t fields = 0;    ///< a hash of fieldsV1
    std::uint32_t size = 0;      ///< the length of fieldsV1 in bytes
    std::int64_t time = 0;       ///< in seconds since 1970
    std::string_view manager{};
    std::string_view subresource{};
  };
  std::vector<Entry> entries_;  ///< the newest last
  std::string packed_;
};

/// Returns the name of the first of the packed entries, such as `kubectl (scale)`: the manager, and
/// the subresource if there is one.
std::string_view newest_writer(std::string_view packed);

}  // namespace kinf
