// SPDX-License-Identifier: Apache-2.0
// The body of a watch answer, read as a stream of JSON values {"type","object"}, however the bytes
// are cut. Framed by braces, never by newlines. Takes objects, metadata and Tables.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/json_splitter.h"
#include "kinf/api/object_decoder.h"
#include "kinf/api/table_reader.h"
#include "kinf/api/watch_event.h"

namespace kinf {

/// Threads: one owner.
class WatchDecoder {
 public:
  explicit WatchDecoder(DecodeOptions options);

  /// Takes the next bytes and decodes all events that are whole now.
  void feed(std::string_view bytes);
  /// The next whole event, empty when more bytes are needed. Events of type ERROR come as events
  /// that carry the Error. A protocol error for anything that is no watch event; then the stream
  /// cannot be trusted any more.
  Result<std::optional<WatchEvent>> next();
  /// Bytes of an unfinished event are waiting for their rest.
  bool mid_event() const { return !splitter_.between_values(); }

  /// The column definitions of the latest Table event, to be handed on to the next stream in
  /// DecodeOptions::columns; null if there was none.
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
  std::size_t taken_ = 0;  ///< of ready_
  Place place_ = Place::outside;
  std::string key_;
  JsonSplitter::Extent type_;  ///< of the frame being read, as the next two
  JsonSplitter::Extent object_;
  JsonSplitter::Extent kind_;
  std::optional<Error> error_;
};

}  // namespace kinf
