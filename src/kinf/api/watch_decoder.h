// SPDX-License-Identifier: Apache-2.0
// The body of a watch answer, read as a stream of JSON values {"type","object"}, however the bytes
// are cut. Framed by braces, never by newlines. Takes objects, metadata and Tables.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "kinf/api/object_decoder.h"
#include "kinf/api/watch_event.h"

namespace kinf {

/// Threads: one owner.
class WatchDecoder {
 public:
  explicit WatchDecoder(DecodeOptions options);
  ~WatchDecoder();
  WatchDecoder(const WatchDecoder&) = delete;
  WatchDecoder& operator=(const WatchDecoder&) = delete;

  /// Takes the next bytes and decodes all events that are whole now.
  void feed(std::string_view bytes);
  /// The next whole event, empty when more bytes are needed. Events of type ERROR come as events
  /// that carry the Error. A protocol error for anything that is no watch event; then the stream
  /// cannot be trusted any more.
  Result<std::optional<WatchEvent>> next();
  /// Bytes of an unfinished event are waiting for their rest.
  bool mid_event() const;

  /// The column definitions of the latest Table event, to be handed on to the next stream in
  /// DecodeOptions::columns; null if there was none.
  std::shared_ptr<const TableColumns> columns() const;

 private:
  class Stream;
  std::unique_ptr<Stream> stream_;
};

}  // namespace kinf
