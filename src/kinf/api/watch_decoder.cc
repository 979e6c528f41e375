// SPDX-License-Identifier: Apache-2.0
// Decodes each event when its last byte arrives, while the bytes are in the processor's cache, and
// queues the result. The splitter enters the event and the object in it, because the object's kind
// (an object, a Table, a bookmark or a Status) must be known before it is decoded. An incomplete
// event has no effect.
#include "kinf/api/watch_decoder.h"

#include <fmt/format.h>

#include "kinf/api/api_status.h"
#include "kinf/api/json_members.h"

namespace kinf {
namespace {

constexpr std::string_view kInitialEventsEnd = "k8s.io/initial-events-end";

std::unexpected<Error> bad_event(std::string message) {
  return fail(ErrorKind::protocol, std::move(message));
}

std::optional<WatchEventType> event_type(std::string_view quoted) {
  if (quoted == "\"ADDED\"") return WatchEventType::added;
  if (quoted == "\"MODIFIED\"") return WatchEventType::modified;
  if (quoted == "\"DELETED\"") return WatchEventType::deleted;
  if (quoted == "\"BOOKMARK\"") return WatchEventType::bookmark;
  if (quoted == "\"ERROR\"") return WatchEventType::error;
  return std::nullopt;
}

}  // namespace

Result<WatchEvent> decode_bookmark(std::string_view json) {
  WatchEvent event;
  event.type = WatchEventType::bookmark;
  const auto read_annotation = [&](JsonMember& annotation) {
    std::string_view text;
    if (annotation.name != kInitialEventsEnd) return simdjson::SUCCESS;
    const auto failed = read_text(annotation.value, text);
    event.initial_events_end = text == "true";
    return failed;
  };
  const auto read_metadata = [&](JsonMember& member) {
    if (member.name == "annotations") return for_each_member(member.value, read_annotation);
    if (member.name == "resourceVersion") return read_text(member.value, event.resource_version);
    return simdjson::SUCCESS;
  };
  const auto error = for_each_member(json, [&](JsonMember& member) {
    if (member.name != "metadata") return simdjson::SUCCESS;
    return for_each_member(member.value, read_metadata);
  });
  if (error) {
    return bad_event(fmt::format("cannot read a bookmark: {}", simdjson::error_message(error)));
  }
  return event;
}

WatchDecoder::WatchDecoder(DecodeOptions options)
    : splitter_(options.max_bytes), columns_(options.columns), decoder_(std::move(options)) {}

void WatchDecoder::feed(std::string_view bytes) {
  if (error_) return;
  Result<void> fed = splitter_.feed_to(
      bytes,
      [this] { return place_ == Place::outside || (place_ == Place::frame && key_ == "object"); },
      [this](JsonSplitter::Found found) { return take(found); });
  if (!fed) error_ = std::move(fed).error().within("watch event");
}

Result<std::optional<WatchEvent>> WatchDecoder::next() {
  if (taken_ < ready_.size()) return std::optional<WatchEvent>(std::move(ready_[taken_++]));
  ready_.clear();
  taken_ = 0;
  if (error_) return fail(*error_);
  return std::nullopt;
}

Result<void> WatchDecoder::take(JsonSplitter::Found found) {
  using enum JsonSplitter::Found;
  switch (found) {
    case key: key_ = splitter_.text(); return {};
    case value: return take_value();
    case array: return bad_event("expected an object, got an array");
    case object:
      if (place_ == Place::outside) {
        splitter_.hold();
        type_ = object_ = kind_ = {};
        place_ = Place::frame;
        key_.clear();
      } else {
        object_ = splitter_.extent();
        kind_ = {};
        place_ = Place::object;
      }
      return {};
    case end:
      if (place_ == Place::frame) {
        place_ = Place::outside;
        return finish_frame();
      }
      object_.end = splitter_.extent().end;
      place_ = Place::frame;
      key_.clear();
      return {};
    case nothing: break;
  }
  return {};
}

Result<void> WatchDecoder::take_value() {
  if (place_ == Place::outside) return bad_event("not a JSON object");
  if (place_ == Place::object && key_ == "kind") kind_ = splitter_.extent();
  if (place_ == Place::frame && key_ == "type") type_ = splitter_.extent();
  if (place_ == Place::frame && key_ == "object") object_ = splitter_.extent();
  return {};
}

Result<void> WatchDecoder::finish_frame() {
  const std::string_view type_text = splitter_.text(type_);
  const auto type = event_type(type_text);
  if (type_text.empty()) return bad_event("the event has no type");
  if (!type) return bad_event(fmt::format("unknown type {:.64}", type_text));
  const std::string_view json = splitter_.text(object_);
  if (json.empty()) return bad_event(fmt::format("the {} event has no object", type_text));
  const bool is_table = splitter_.text(kind_) == "\"Table\"";
  Result<void> finished;
  if (*type == WatchEventType::error) {
    finish_error(json);
  } else if (json.front() != '{') {
    finished = bad_event(fmt::format("the object of the {} event is not a JSON object", type_text));
  } else if (is_table) {
    finished = finish_table(*type, json);
  } else if (*type == WatchEventType::bookmark) {
    finished = finish_bookmark(json);
  } else {
    finished = finish_object(*type, json);
  }
  splitter_.release();
  return finished;
}

Result<void> WatchDecoder::finish_object(WatchEventType type, std::string_view json,
                                         const RowCells& row) {
  auto object = decoder_.decode(json, row);
  if (!object) return fail(object);
  WatchEvent event;
  event.type = type;
  event.resource_version = (*object)->resource_version();
  event.object = std::move(*object);
  ready_.push_back(std::move(event));
  return {};
}

Result<void> WatchDecoder::finish_table(WatchEventType type, std::string_view json) {
  const auto parts = table_.table(json);
  if (!parts) return fail(parts);
  if (!parts->columns.empty()) {
    auto columns = table_.columns(parts->columns, columns_);
    if (!columns) return fail(columns);
    columns_ = std::move(*columns);
  }
  if (parts->rows.empty() && type == WatchEventType::bookmark) return finish_bookmark(json);
  const std::size_t before = ready_.size();
  for (const TableRow& row : parts->rows) {
    if (auto finished = finish_row(type, row); !finished) {
      ready_.erase(ready_.begin() + static_cast<std::ptrdiff_t>(before), ready_.end());
      return finished;
    }
  }
  return {};
}

Result<void> WatchDecoder::finish_row(WatchEventType type, const TableRow& row) {
  if (row.object.empty()) return bad_event("a Table row has no object");
  if (type == WatchEventType::bookmark) return finish_bookmark(row.object);
  if (columns_ == nullptr) return bad_event("a Table row precedes the column definitions");
  return finish_object(type, row.object, {row.cells, columns_});
}

Result<void> WatchDecoder::finish_bookmark(std::string_view json) {
  auto event = decode_bookmark(json);
  if (!event) return fail(event);
  if (event->initial_events_end) decoder_.forget_held();
  ready_.push_back(std::move(*event));
  return {};
}

/// Adds an ERROR event. If the object of the event is not a Status, quotes the object in the error.
/// The object may be any JSON value, even a string.
void WatchDecoder::finish_error(std::string_view json) {
  WatchEvent event;
  event.type = WatchEventType::error;
  auto status = parse_api_status(json);
  event.error = status ? to_error(std::move(*status))
                       : Error(ErrorKind::protocol,
                               fmt::format("unexpected object in an ERROR event: {:.256}", json));
  ready_.push_back(std::move(event));
}

}  // namespace kinf
