// SPDX-License-Identifier: Apache-2.0
// Reads the members of each document and those of its member `object`, because only the end of a
// document shows whether it is an event or an object. Also reads the items of a List one by one, so
// that each is returned before the next.
#include "kinf/recording/play/stream_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kinf/api/watch_decoder.h"
#include "kinf/base/json_string.h"
#include "kinf/base/timestamp.h"
#include "kinf/recording/recording_schema.h"

namespace kinf {
namespace {

constexpr std::string_view kExpected = "an object or event of kinf or kubectl with -o json";

bool is_empty(const JsonSplitter::Extent& extent) { return extent.begin == extent.end; }

std::optional<StreamItemType> item_type(std::string_view word) {
  if (word == "ADDED") return StreamItemType::added;
  if (word == "MODIFIED") return StreamItemType::modified;
  if (word == "DELETED") return StreamItemType::deleted;
  if (word == "ERROR") return StreamItemType::error;
  return std::nullopt;
}

std::optional<ChangeSource> change_source(std::string_view word) {
  if (word == "list") return ChangeSource::list;
  if (word == "watch") return ChangeSource::watch;
  if (word == "relist") return ChangeSource::relist;
  if (word == "resync") return ChangeSource::resync;
  return std::nullopt;
}

}  // namespace

std::string StreamItem::place() const { return fmt::format("line {} (object {})", line, number); }

void StreamDecoder::feed(std::string_view bytes) {
  if (error_) return;
  chunk_ = bytes;
  splitter_.feed(bytes);
  for (;;) {
    auto found = splitter_.next(enters());
    if (found && *found == JsonSplitter::Found::nothing) break;
    if (!found) {
      count_lines(splitter_.position());
      error_ = broken(std::move(found).error().message, line_).error();
      return;
    }
    if (auto taken = take(*found); !taken) {
      error_ = std::move(taken).error();
      return;
    }
  }
  count_lines(chunk_origin_ + bytes.size());
  chunk_origin_ += bytes.size();
}

void StreamDecoder::finish() {
  if (error_ || (place_ == Place::outside && splitter_.between_values())) return;
  const std::uint64_t line = place_ == Place::outside ? line_ : begin_line_;
  error_ = broken(fmt::format("the input ends within object {}", number_ + 1), line).error();
}

Result<std::optional<StreamItem>> StreamDecoder::next() {
  if (!ready_.empty()) {
    std::optional<StreamItem> item = std::move(ready_.front());
    ready_.pop_front();
    return item;
  }
  if (error_) return fail(*error_);
  return std::nullopt;
}

bool StreamDecoder::enters() const {
  if (place_ == Place::outside || place_ == Place::items) return true;
  return place_ == Place::document && (key_ == "object" || key_ == "items");
}

void StreamDecoder::count_lines(std::uint64_t offset) {
  if (offset <= counted_) return;
  const auto from = static_cast<std::size_t>(counted_ - chunk_origin_);
  const auto count = static_cast<std::size_t>(offset - counted_);
  line_ += static_cast<std::uint64_t>(std::ranges::count(chunk_.substr(from, count), '\n'));
  counted_ = offset;
}

std::string StreamDecoder::unquoted(JsonSplitter::Extent extent) {
  const std::string_view text = splitter_.text(extent);
  return text.starts_with('"') ? json_unquoted(text) : std::string();
}

std::unexpected<Error> StreamDecoder::unexpected(std::string_view found) {
  count_lines(splitter_.position());
  return broken(fmt::format("expected {}, found {}", kExpected, found), line_);
}

std::unexpected<Error> StreamDecoder::broken(std::string message, std::uint64_t line) const {
  return fail(ErrorKind::protocol, "line {}: {}", line, std::move(message));
}

Result<void> StreamDecoder::take(JsonSplitter::Found found) {
  using enum JsonSplitter::Found;
  switch (found) {
    case key: key_ = splitter_.text(); return {};
    case value: return take_value();
    case object:
      if (place_ == Place::document && key_ == "items") return unexpected("an object as items");
      enter_object();
      return {};
    case array:
      if (place_ != Place::document || key_ != "items") return unexpected("an array");
      enter_items();
      return {};
    case end: return take_end();
    case nothing: break;
  }
  return {};
}

void StreamDecoder::enter_items() {
  place_ = Place::items;
  is_list_ = true;
  if (std::exchange(is_released_, true)) return;  // this is a second member `items`
  list_version_ = unquoted(parts_.api_version);
  list_kind_ = unquoted(parts_.kind);
  if (list_kind_.ends_with("List")) list_kind_.resize(list_kind_.size() - 4);
  splitter_.release();
}

void StreamDecoder::enter_object() {
  if (place_ == Place::document) {
    parts_.object = splitter_.extent();
    parts_.kind = parts_.api_version = {};
    place_ = Place::object;
    return;
  }
  splitter_.hold();
  parts_ = {};
  key_.clear();
  begin_ = splitter_.extent().begin;
  count_lines(begin_);
  begin_line_ = line_;
  if (place_ == Place::outside) is_list_ = is_released_ = false;
  place_ = place_ == Place::items ? Place::item : Place::document;
}

Result<void> StreamDecoder::take_value() {
  const JsonSplitter::Extent extent = splitter_.extent();
  if (place_ == Place::outside || place_ == Place::items) {
    return unexpected(fmt::format("{:.32}", splitter_.text()));
  }
  if (place_ == Place::document && is_released_) return {};
  if (place_ == Place::document && key_ == "items" && splitter_.text() == "null") is_list_ = true;
  if (key_ == "kind") parts_.kind = extent;
  if (key_ == "apiVersion") parts_.api_version = extent;
  if (place_ != Place::document) return {};
  if (key_ == "type") parts_.type = extent;
  if (key_ == "source") parts_.source = extent;
  if (key_ == "time") parts_.time = extent;
  if (key_ == "resource") parts_.resource = extent;
  if (key_ == "manager") parts_.manager = extent;
  if (key_ == "finalStateUnknown") parts_.unknown = extent;
  return {};
}

Result<void> StreamDecoder::take_end() {
  const std::uint64_t end = splitter_.extent().end;
  key_.clear();
  switch (place_) {
    case Place::object:
      parts_.object.end = end;
      place_ = Place::document;
      return {};
    case Place::items: place_ = Place::document; return {};
    case Place::item: {
      place_ = Place::items;
      finish_object({begin_, end});
      splitter_.release();
      return {};
    }
    case Place::document:
    case Place::outside: break;
  }
  place_ = Place::outside;
  if (std::exchange(is_list_, false)) return {};
  Result<void> finished = finish_document();
  splitter_.release();
  return finished;
}

Result<void> StreamDecoder::finish_document() {
  if (!is_empty(parts_.type) && !is_empty(parts_.object)) return finish_event();
  if (is_empty(parts_.kind) || is_empty(parts_.api_version) || !is_empty(parts_.object)) {
    return broken(fmt::format("expected {}, found another one", kExpected), begin_line_);
  }
  finish_object({begin_, splitter_.extent().end});
  return {};
}

void StreamDecoder::finish_object(JsonSplitter::Extent extent) {
  StreamItem item;
  item.json = splitter_.text(extent);
  item.api_version = unquoted(parts_.api_version);
  item.kind = unquoted(parts_.kind);
  if (is_list_) {
    item.source = ChangeSource::list;
    if (item.api_version.empty()) item.api_version = list_version_;
    if (item.kind.empty()) item.kind = list_kind_;
  }
  add(std::move(item));
}

Result<void> StreamDecoder::finish_event() {
  StreamItem item;
  const std::string word = unquoted(parts_.type);
  item.json = splitter_.text(parts_.object);
  if (word == "GAP") return {};  // of kinf history
  if (word == "BOOKMARK") {
    const Result<WatchEvent> bookmark = decode_bookmark(item.json);
    if (!bookmark) return broken(bookmark.error().message, begin_line_);
    if (!bookmark->initial_events_end) return {};
    item.type = StreamItemType::list_end;
  } else if (const auto type = item_type(word)) {
    item.type = *type;
  } else {
    return broken(fmt::format("unknown type \"{:.64}\" of an event", word), begin_line_);
  }
  item.api_version = unquoted(parts_.api_version);
  item.kind = unquoted(parts_.kind);
  item.resource = unquoted(parts_.resource);
  item.manager = unquoted(parts_.manager);
  item.source = change_source(unquoted(parts_.source));
  if (const auto time = parse_precise_timestamp(unquoted(parts_.time))) {
    item.time = Clock::Wall(Clock::Duration(recorded_time(time->time_since_epoch().count())));
  }
  item.final_state_unknown = splitter_.text(parts_.unknown) == "true";
  add(std::move(item));
  return {};
}

void StreamDecoder::add(StreamItem item) {
  item.line = begin_line_;
  item.number = ++number_;
  ready_.push_back(std::move(item));
}

}  // namespace kinf
