// SPDX-License-Identifier: Apache-2.0
// Passes items to the sink as they arrive. Collects the other members, which are small, in a
// separate document, because the response may be a Status.
#include "kinf/api/list_decoder.h"

#include <fmt/format.h>

#include "kinf/api/api_status.h"
#include "kinf/api/json_members.h"
#include "kinf/api/object.h"
#include "kinf/base/limits.h"

namespace kinf {
namespace {

std::unexpected<Error> broken(std::string message) {
  return fail(ErrorKind::protocol, std::move(message));
}

Result<ListPage> read_metadata(std::string_view json) {
  ListPage page;
  if (json == "null") return page;
  const auto error = for_each_member(json, [&](JsonMember& member) {
    if (member.name == "resourceVersion") return read_text(member.value, page.resource_version);
    if (member.name == "continue") return read_text(member.value, page.continue_token);
    if (member.name == "remainingItemCount") {
      // The count is only displayed, so a value of another type is not an error.
      if (member.value.get_int64().get(page.remaining_items)) page.remaining_items = 0;
    }
    return simdjson::SUCCESS;
  });
  if (!error) return page;
  return broken(
      fmt::format("cannot read the metadata of a list: {}", simdjson::error_message(error)));
}

}  // namespace

ListDecoder::ListDecoder(DecodeOptions options, ListSink& sink)
    : splitter_(options.max_bytes), decoder_(std::move(options)), sink_(sink) {}

std::optional<std::string_view> ListDecoder::continue_token() const {
  if (!metadata_ || kind_ == "Status") return std::nullopt;
  return metadata_->continue_token;
}

/// Returns whether to enter the object or array at the current position, to read its members or
/// elements.
bool ListDecoder::enters() const {
  return place_ == Place::before || place_ == Place::rows ||
         (place_ == Place::members && (key_ == "items" || key_ == "rows"));
}

Result<void> ListDecoder::feed(std::string_view bytes) {
  if (error_) return fail(*error_);
  Result<void> fed = splitter_.feed_to(
      bytes, [this] { return enters(); },
      [this](JsonSplitter::Found found) { return take(found); });
  if (fed) return fed;
  const bool in_items = place_ == Place::items || place_ == Place::rows || place_ == Place::row;
  error_ = in_items ? std::move(fed).error().within(fmt::format("item {}", items_))
                    : std::move(fed).error();
  return fail(*error_);
}

Result<void> ListDecoder::take(JsonSplitter::Found found) {
  using enum JsonSplitter::Found;
  if (place_ == Place::after)
    return broken("the response to a list contains more than one JSON value");
  switch (found) {
    case key: key_ = splitter_.text(); return {};
    case value: return take_value();
    case end: return take_end();
    case object:
      if (place_ == Place::members) return broken(fmt::format("{} is not an array", key_));
      if (place_ == Place::rows) {
        splitter_.hold();
        cells_ = object_ = {};
      }
      place_ = place_ == Place::rows ? Place::row : Place::members;
      return {};
    case array:
      if (place_ == Place::before) return broken("the list is not a JSON object");
      if (place_ == Place::rows) return broken("a Table row is not a JSON object");
      if (has_items_) return broken("the list contains its items twice");
      has_items_ = true;
      place_ = key_ == "rows" ? Place::rows : Place::items;
      assume_item_type();
      return {};
    case nothing: break;
  }
  return {};
}

/// Sets the type of the items, because the items of a typed list do not contain their type. For
/// example, the items of a PodList are Pods.
void ListDecoder::assume_item_type() {
  constexpr std::string_view kSuffix = "List";
  if (kind_.size() <= kSuffix.size() || !kind_.ends_with(kSuffix)) return;
  decoder_.assume_type(api_version_,
                       std::string_view(kind_).substr(0, kind_.size() - kSuffix.size()));
}

Result<void> ListDecoder::take_value() {
  const std::string_view text = splitter_.text();
  switch (place_) {
    case Place::before: return broken("the list is not a JSON object");
    case Place::items: return take_object(text);
    case Place::rows: return broken("a Table row is not a JSON object");
    case Place::row:
      if (key_ == "cells" && text != "null") cells_ = splitter_.extent();
      if (key_ == "object" && text != "null") object_ = splitter_.extent();
      return {};
    case Place::members:
    case Place::after: break;
  }
  if (key_ == "items" || key_ == "rows") {
    if (text != "null") return broken(fmt::format("{} is not an array", key_));
    has_items_ = true;
    return {};
  }
  if (key_ == "columnDefinitions") return text == "null" ? Result<void>() : take_columns(text);
  if (key_ == "kind") kind_ = text.substr(1, text.size() - 2);
  if (key_ == "apiVersion") api_version_ = text.substr(1, text.size() - 2);
  if (key_ == "metadata") {
    Result<ListPage> read = read_metadata(text);
    if (!read) return fail(read);
    metadata_ = *std::move(read);
  }
  if (envelope_.size() + key_.size() + text.size() > limits::kListEnvelopeBytes) {
    return broken(fmt::format("the members other than the items of a list are larger than {} bytes",
                              limits::kListEnvelopeBytes));
  }
  if (envelope_.size() > 1) envelope_ += ',';
  envelope_.append("\"").append(key_).append("\":").append(text);
  return {};
}

Result<void> ListDecoder::take_end() {
  switch (place_) {
    case Place::row: place_ = Place::rows; return take_row();
    case Place::items:
    case Place::rows:
      place_ = Place::members;
      key_.clear();
      return {};
    default:
      place_ = Place::after;
      envelope_ += '}';
      return {};
  }
}

Result<void> ListDecoder::take_object(std::string_view json, const RowCells& row) {
  auto object = decoder_.decode(json, row);
  if (!object) return fail(object);
  sink_.item(std::move(*object));
  ++items_;
  return {};
}

Result<void> ListDecoder::take_row() {
  const std::string_view object = splitter_.text(object_);
  if (object.empty()) return broken("a Table row has no object");
  if (columns_ == nullptr) columns_ = awaited_ = std::make_shared<TableColumns>();
  Result<void> taken = take_object(object, {splitter_.text(cells_), columns_});
  splitter_.release();
  return taken;
}

Result<void> ListDecoder::take_columns(std::string_view json) {
  auto read = table_.columns(json, decoder_.options().columns);
  if (!read) return fail(read);
  if (awaited_ != nullptr) {
    *awaited_ = **read;
    awaited_ = nullptr;
  } else {
    columns_ = std::move(*read);
  }
  return {};
}

/// If this page has no column definitions, uses those of the previous page.
Result<void> ListDecoder::settle_columns() {
  if (awaited_ == nullptr) return {};
  const auto& known = decoder_.options().columns;
  if (known == nullptr) return broken("the Table has no column definitions");
  *awaited_ = *known;
  awaited_ = nullptr;
  return {};
}

Result<ListPage> ListDecoder::finish() {
  if (error_) return fail(*error_);
  if (place_ == Place::before) return broken("the response is empty; expected a list");
  if (place_ != Place::after) {
    return broken(fmt::format("the list ends unexpectedly after {} items", items_));
  }
  if (!splitter_.between_values()) return broken("the list is followed by other bytes");
  if (kind_ == "Status") {
    auto status = parse_api_status(envelope_);
    if (!status) return fail(status);
    return fail(to_error(std::move(*status)));
  }
  if (!has_items_ && kind_ != "Table" && !kind_.ends_with("List")) {
    return broken(fmt::format("expected a list, got kind \"{}\"", kind_));
  }
  if (auto settled = settle_columns(); !settled) return fail(settled);
  return metadata_.value_or(ListPage());
}

}  // namespace kinf
