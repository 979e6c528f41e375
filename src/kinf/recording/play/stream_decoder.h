// SPDX-License-Identifier: Apache-2.0
// StreamDecoder: reads a stream of JSON documents: events of `kinf watch -o json`, events of
// `kubectl get -w -o json --output-watch-events`, objects, and Lists of objects. A document may
// have several lines. The bytes may be split anywhere.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "kinf/api/change.h"
#include "kinf/api/json_splitter.h"
#include "kinf/base/limits.h"

namespace kinf {

enum class StreamItemType {
  object,  ///< an object without an event, which was added or changed
  added,
  modified,
  deleted,
  list_end,  ///< the BOOKMARK that ends the initial list
  error,     ///< an ERROR event, whose object is a Status
};

/// One object or event of a stream.
struct StreamItem {
  StreamItemType type = StreamItemType::object;
  std::string json;  ///< the text of the object
  std::string api_version{};
  std::string kind{};
  /// Only events of kinf have the members up to `final_state_unknown`.
  std::string resource{};                ///< such as `deployments.apps`
  std::string manager{};                 ///< see Object::manager()
  std::optional<ChangeSource> source{};  ///< items of a List have `list`, too
  std::optional<Clock::Wall> time{};
  bool final_state_unknown = false;
  std::uint64_t line = 0;    ///< the line in which the text begins, counted from 1
  std::uint64_t number = 0;  ///< the number of the object in the stream, counted from 1

  /// Returns the place in the stream, such as `line 3 (object 2)`.
  std::string place() const;
};

/// Reads the objects and events of a stream of JSON documents. Checks the JSON grammar of the
/// documents, but not that of the objects in them.
/// Threads: one owner.
class StreamDecoder {
 public:
  /// `max_bytes` is the maximum size of a document, or of one item if the document is a List.
  explicit StreamDecoder(std::size_t max_bytes = limits::kDocumentBytes) : splitter_(max_bytes) {}

  /// Adds the next bytes. Keeps no views of them.
  void feed(std::string_view bytes);
  /// Call after the last byte.
  void finish();
  /// Returns the next item; nullopt if more bytes are needed, or at the end. Errors: protocol, with
  /// the line; after that, every call returns the same error.
  Result<std::optional<StreamItem>> next();

 private:
  enum class Place { outside, document, object, items, item };
  /// The parts of the document or item that is being read.
  struct Parts {
    JsonSplitter::Extent type, object, api_version, kind, source, time, resource, manager, unknown;
  };

  Result<void> take(JsonSplitter::Found found);
  Result<void> take_value();
  void enter_items();
  void enter_object();
  Result<void> take_end();
  Result<void> finish_document();
  Result<void> finish_event();
  void finish_object(JsonSplitter::Extent extent);
  void add(StreamItem item);
  bool enters() const;
  /// Counts the lines up to `offset`, which is in the bytes of the last feed().
  void count_lines(std::uint64_t offset);
  /// Returns the text of a JSON string; empty for other values.
  std::string unquoted(JsonSplitter::Extent extent);
  std::unexpected<Error> unexpected(std::string_view found);
  std::unexpected<Error> broken(std::string message, std::uint64_t line) const;

  JsonSplitter splitter_;
  std::deque<StreamItem> ready_;
  std::optional<Error> error_;
  Place place_ = Place::outside;
  std::string key_;
  Parts parts_;
  std::uint64_t begin_ = 0;       ///< the offset at which the document or item begins
  std::uint64_t begin_line_ = 0;  ///< the line of begin_
  bool is_list_ = false;
  bool is_released_ = false;  ///< whether the bytes before the items of the List were released
  std::string list_version_;  ///< the apiVersion of the List
  std::string list_kind_;     ///< the kind of the items, if `kind` of the List is before them
  std::uint64_t number_ = 0;
  std::string_view chunk_;
  std::uint64_t chunk_origin_ = 0;
  std::uint64_t counted_ = 0;  ///< the offset up to which lines are counted
  std::uint64_t line_ = 1;
};

}  // namespace kinf
