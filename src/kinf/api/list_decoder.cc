// SPDX-License-Identifier: Apache-2.0
// The items go to the sink as they come; all that stands around them is small, is collected as a
// document of its own, and read at the end, when it is known what kind of answer it was.
#include "kinf/api/list_decoder.h"

#include <fmt/format.h>

#include "kinf/api/api_status.h"
#include "kinf/api/json_members.h"
#include "kinf/api/json_splitter.h"
#include "kinf/api/padded_text.h"
#include "kinf/api/table_reader.h"

namespace kinf {
namespace {

/// More than this around the items is no list: the longest real one, a Table's column definitions,
/// takes a few KiB.
constexpr std::size_t kMaxEnvelope = std::size_t{4} << 20;

std::unexpected<Error> broken(std::string message) {
  return fail(ErrorKind::protocol, std::move(message));
}

struct Envelope {
  std::string kind;
  ListPage page;
};

Result<Envelope> read_envelope(std::string_view json) {
  PaddedText padded;
  const std::string_view text = padded.copy(json);
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document document;
  Envelope envelope;
  const auto read = [](JsonMember& member, std::string& out) {
    std::string_view value;
    const auto error = read_text(member.value, value);
    out = value;
    return error;
  };
  const auto read_metadata = [&](JsonMember& member) {
    if (member.name == "resourceVersion") return read(member, envelope.page.resource_version);
    if (member.name == "continue") return read(member, envelope.page.continue_token);
    return simdjson::SUCCESS;
  };
  const auto error = for_each_member(parser, document, text, [&](JsonMember& member) {
    if (member.name == "kind") return read(member, envelope.kind);
    if (member.name == "metadata") return for_each_member(member.value, read_metadata);
    return simdjson::SUCCESS;
  });
  if (error) {
    return broken(fmt::format("cannot read what stands around the items of a list: {}",
                              simdjson::error_message(error)));
  }
  return envelope;
}

}  // namespace

class ListDecoder::Body {
 public:
  Body(DecodeOptions options, ListSink& sink)
      : splitter_(options.max_bytes), decoder_(std::move(options)), sink_(sink) {}

  Result<void> feed(std::string_view bytes);
  Result<ListPage> finish();
  std::shared_ptr<const TableColumns> columns() const { return columns_; }

 private:
  enum class Place { before, members, items, rows, after };

  Result<void> take(JsonSplitter::Found found);
  Result<void> take_value();
  Result<void> take_end();
  Result<void> take_item(std::string_view json);
  Result<void> take_row(std::string_view json);
  Result<void> take_columns(std::string_view json);
  Result<void> settle_columns();
  bool in_array() const { return place_ == Place::items || place_ == Place::rows; }

  JsonSplitter splitter_;
  ObjectDecoder decoder_;
  TableReader table_;
  ListSink& sink_;
  Place place_ = Place::before;
  std::string key_;
  std::string envelope_ = "{";
  std::size_t items_ = 0;
  bool has_items_ = false;
  bool is_table_ = false;
  std::shared_ptr<const TableColumns> columns_;
  std::shared_ptr<TableColumns> awaited_;  ///< given to rows that came before the definitions
  std::optional<Error> error_;
};

Result<void> ListDecoder::Body::feed(std::string_view bytes) {
  if (error_) return std::unexpected(*error_);
  splitter_.feed(bytes);
  for (;;) {
    const bool opens_items = place_ == Place::members && (key_ == "items" || key_ == "rows");
    auto found = splitter_.next(place_ == Place::before || opens_items);
    if (found && *found == JsonSplitter::Found::nothing) return {};
    auto taken = found ? take(*found) : Result<void>(std::unexpected(std::move(found).error()));
    if (taken) continue;
    error_ = std::move(taken).error();
    if (in_array()) *error_ = std::move(*error_).within(fmt::format("item {}", items_));
    return std::unexpected(*error_);
  }
}

Result<void> ListDecoder::Body::take(JsonSplitter::Found found) {
  using enum JsonSplitter::Found;
  if (place_ == Place::after) return broken("more than one JSON value in the answer to a list");
  switch (found) {
    case key:
      key_ = splitter_.text();
      return {};
    case value:
      return take_value();
    case end:
      return take_end();
    case object:
      if (place_ != Place::before) return broken(fmt::format("{} is no array", key_));
      place_ = Place::members;
      return {};
    case array:
      if (place_ != Place::members) return broken("a list is no JSON object");
      if (has_items_) return broken("a list with its items twice");
      has_items_ = true;
      is_table_ = key_ == "rows";
      place_ = is_table_ ? Place::rows : Place::items;
      return {};
    case nothing:
      break;
  }
  return {};
}

Result<void> ListDecoder::Body::take_value() {
  const std::string_view text = splitter_.text();
  if (place_ == Place::items) return take_item(text);
  if (place_ == Place::rows) return take_row(text);
  if (place_ == Place::before) return broken("a list is no JSON object");
  if (key_ == "items" || key_ == "rows") {
    if (text != "null") return broken(fmt::format("{} is no array", key_));
    has_items_ = true;
    is_table_ = key_ == "rows";
    return {};
  }
  if (key_ == "columnDefinitions") {
    return text == "null" ? Result<void>() : take_columns(text);
  }
  if (envelope_.size() + key_.size() + text.size() > kMaxEnvelope) {
    return broken(fmt::format("more than {} bytes around the items of a list", kMaxEnvelope));
  }
  if (envelope_.size() > 1) envelope_ += ',';
  envelope_.append("\"").append(key_).append("\":").append(text);
  return {};
}

Result<void> ListDecoder::Body::take_end() {
  if (in_array()) {
    place_ = Place::members;
    key_.clear();
  } else {
    place_ = Place::after;
    envelope_ += '}';
  }
  return {};
}

Result<void> ListDecoder::Body::take_item(std::string_view json) {
  auto object = decoder_.decode_padded(json);
  if (!object) return std::unexpected(std::move(object).error());
  sink_.item(std::move(*object));
  ++items_;
  return {};
}

Result<void> ListDecoder::Body::take_row(std::string_view json) {
  const auto row = table_.row(json);
  if (!row) return std::unexpected(row.error());
  if (row->object.empty()) return broken("a Table row without its object");
  if (columns_ == nullptr) columns_ = awaited_ = std::make_shared<TableColumns>();
  auto object = decoder_.decode_padded(row->object, {row->cells, columns_});
  if (!object) return std::unexpected(std::move(object).error());
  sink_.item(std::move(*object));
  ++items_;
  return {};
}

Result<void> ListDecoder::Body::take_columns(std::string_view json) {
  auto read = table_.columns(json, decoder_.options().columns);
  if (!read) return std::unexpected(std::move(read).error());
  if (awaited_ != nullptr) {
    *awaited_ = **read;
    awaited_ = nullptr;
  } else {
    columns_ = std::move(*read);
  }
  return {};
}

/// Rows whose definitions never came take those of the page before.
Result<void> ListDecoder::Body::settle_columns() {
  if (awaited_ == nullptr) return {};
  const auto& known = decoder_.options().columns;
  if (known == nullptr) return broken("a Table without column definitions");
  *awaited_ = *known;
  awaited_ = nullptr;
  return {};
}

Result<ListPage> ListDecoder::Body::finish() {
  if (error_) return std::unexpected(*error_);
  if (place_ == Place::before) return broken("an empty answer where a list was expected");
  if (place_ != Place::after) {
    return broken(fmt::format("a list that breaks off after {} items", items_));
  }
  auto envelope = read_envelope(envelope_);
  if (!envelope) return std::unexpected(std::move(envelope).error());
  if (envelope->kind == "Status") {
    auto status = parse_api_status(envelope_);
    if (!status) return std::unexpected(std::move(status).error());
    return std::unexpected(to_error(std::move(*status)));
  }
  if (!has_items_ && envelope->kind != "Table" && !envelope->kind.ends_with("List")) {
    return broken(fmt::format("not a list but \"{}\"", envelope->kind));
  }
  if (auto settled = settle_columns(); !settled) {
    return std::unexpected(std::move(settled).error());
  }
  return std::move(envelope->page);
}

ListDecoder::ListDecoder(DecodeOptions options, ListSink& sink)
    : body_(std::make_unique<Body>(std::move(options), sink)) {}
ListDecoder::~ListDecoder() = default;

Result<void> ListDecoder::feed(std::string_view bytes) { return body_->feed(bytes); }
Result<ListPage> ListDecoder::finish() { return body_->finish(); }
std::shared_ptr<const TableColumns> ListDecoder::columns() const { return body_->columns(); }

}  // namespace kinf
