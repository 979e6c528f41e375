// SPDX-License-Identifier: Apache-2.0
// WatchDecoder: reads the body of a watch response as a stream of events {"type","object"}. The
// bytes may be split anywhere. Does not need newlines between events. Reads objects, metadata and
// Tables.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/json_splitter.h"
#include "kinf/api/lister_watcher.h"
#include "kinf/api/object_decoder.h"
#include "kinf/api/table_reader.h"

namespace kinf {

/// Reads the object of a BOOKMARK event. Errors: protocol.
Result<WatchEvent> decode_bookmark(std::string_view json);

/// Threads: one owner.
class WatchDecoder {
 public:
  explicit WatchDecoder(DecodeOptions options);

  /// Adds the next bytes and decodes all complete events. Keeps no views of `bytes`.
  void feed(std::string_view bytes);
  /// Returns the next event; nullopt if more bytes are needed. WatchEvent::error is set for an
  /// ERROR event. Errors: protocol, for anything that is not a watch event; after that, every call
  /// returns the same error.
  Result<std::optional<WatchEvent>> next();
  /// Returns whether the bytes received end with an incomplete event.
  bool mid_event() const { return !splitter_.between_values(); }

  /// Returns the column definitions of the last Table event, to pass in DecodeOptions::columns for
  /// the next stream; null if there were none.
  std::shared_ptr<const TableColumns> columns() const { return columns_; }

 private:
  enum class Place { outside, frame, object };

  Result<void> take(JsonSplitter::Found found);
  Result<void> take_value();
  Result<void> finish_frame();
  Result<void> finish_object(WatchEventType type, std::string_view json, const RowCells& row = {});
  Result<void> finish_table(WatchEventType type, std::string_view json);
  Result<void> finish_row(WatchEventType type, const TableRow& row);
  Result<void> finish_bookmark(std::string_view json);
  void finish_error(std::string_view json);

  JsonSplitter splitter_;
  std::shared_ptr<const TableColumns> columns_;
  ObjectDecoder decoder_;
  TableReader table_;
  std::vector<WatchEvent> ready_;
  std::size_t taken_ = 0;  ///< events of ready_ that next() has returned
  Place place_ = Place::outside;
  std::string key_;
  JsonSplitter::Extent type_;  ///< extents of the type, object and kind of the event being read
  JsonSplitter::Extent object_;
  JsonSplitter::Extent kind_;
  std::optional<Error> error_;
};

}  // namespace kinf
