// SPDX-License-Identifier: Apache-2.0
// StreamSource: a ListerWatcher that answers from a stream of JSON, as StreamPlayer plays it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "kinf/api/group_version_resource.h"
#include "kinf/api/object_decoder.h"
#include "kinf/recording/stepped_source.h"
#include "kinf/recording/stream_item.h"

namespace kinf {

/// The row of an object in a table.
struct StreamRow {
  std::string cells;  ///< the text of a JSON array; empty: none
  std::shared_ptr<const TableColumns> columns;
};

/// What one informer reads.
struct StreamSelection {
  ResourceType type;
  std::string ns;    ///< empty: all namespaces
  std::string name;  ///< empty: all objects
  DecodeOptions decode;
  std::string description;  ///< for messages
  /// Returns the row of an item. Empty: objects have no rows.
  std::function<StreamRow(const StreamItem& item)> row{};
};

/// An object that the stream mentions for the first time was added, whatever the event says. If it
/// was deleted, it was added and deleted.
/// Threads: that of StreamPlayer; wake() may be called from any thread.
class StreamSource final : public SteppedSource {
 public:
  StreamSource(Clock& clock, StreamSelection selection);

  /// Returns true if the item is of the selected type. All versions of a type count.
  bool selects_type(const StreamItem& item) const;
  /// Returns true if the state has the object of the item.
  bool has_seen(const StreamItem& item);
  /// Applies an item to the state, for the next list. Errors: protocol, as for play().
  Result<void> apply(const StreamItem& item);
  /// Makes the first list available, of what was applied.
  void end_list() { set_listed(); }
  /// Makes an item available as an event. Errors: protocol, if it is not an object.
  Result<void> play(const StreamItem& item);
  /// Plays what waits for the item after it. Call at the end.
  void flush();

 private:
  struct Held {
    ObjectPtr object;
    std::uint64_t seq = 0;
  };

  std::vector<ObjectPtr> objects() const override;
  /// Returns null if the object is not selected.
  Result<ObjectPtr> decode(const StreamItem& item);
  void hold(const ObjectPtr& object);
  void play_deletion(const ObjectPtr& object);

  const ResourceType type_;
  const std::string ns_;
  const std::string name_;
  const std::function<StreamRow(const StreamItem& item)> row_;
  ObjectDecoder decoder_;
  std::unordered_map<std::string, Held> held_;  ///< by key
  std::uint64_t last_seq_ = 0;
  /// The deletion of an object that another one replaces, which follows. The informer infers it.
  ObjectPtr replaced_;
};

}  // namespace kinf
