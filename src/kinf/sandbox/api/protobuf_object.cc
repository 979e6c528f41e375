// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/protobuf_object.h"

#include <fmt/format.h>

#include "kinf/base/base64.h"
#include "kinf/base/limits.h"
#include "kinf/base/timestamp.h"
#include "kinf/sandbox/api/protobuf_messages.h"

namespace kinf::sandbox {
namespace {

constexpr std::string_view kMagic("k8s\0", 4);

bool is_default_value(const Json& value) {
  return value.is_null() || value == "" || value == 0 || value == false;
}

/// Decodes messages and keeps the first error.
class ProtobufDecoder {
 public:
  Json message(std::string_view type, std::string_view bytes) {
    Json result = Json::object();
    merge_message(type, bytes, result);
    return result;
  }

  const std::optional<ApiStatus>& problem() const { return problem_; }
  void damaged() { refuse(bad_request("the body of the request is damaged protobuf")); }
  void refuse(ApiStatus status) {
    if (!problem_) problem_ = std::move(status);
  }

 private:
  void merge_message(std::string_view type, std::string_view bytes, Json& into) {
    const MessageFields* known = message_fields(type);
    if (known == nullptr || depth_ == limits::kProtobufDepth) return damaged();
    ++depth_;
    ProtobufReader reader(bytes);
    while (const auto wire = reader.next()) {
      const auto field = known->find(wire->tag);
      if (field != known->end()) {
        add(field->second, *wire, into);
      } else {
        refuse(unsupported_media_type("application/json"));
        problem_->message += fmt::format(
            " (the sandbox does not know field {} of protobuf message {})", wire->tag, type);
      }
      if (problem_) break;
    }
    if (reader.is_damaged()) damaged();
    --depth_;
  }

  void add(const MessageField& field, const WireField& wire, Json& into) {
    if (field.is_inline) {
      if (!wire.is_bytes) return damaged();
      return merge_message(field.type, wire.bytes, into);
    }
    if (field.is_map) {
      return wire.is_bytes ? add_entry(field, wire.bytes, object_at(into, field.name)) : damaged();
    }
    Json read = value(field, wire);
    if (field.is_list) {
      into[field.name].push_back(std::move(read));
    } else if (field.has_presence || !is_default_value(read)) {
      into[field.name] = std::move(read);
    }
  }

  /// Adds a map entry, which is a message with a key and a value.
  void add_entry(const MessageField& field, std::string_view bytes, Json& map) {
    const WireField key = wrapped(bytes, 1);
    WireField content = wrapped(bytes, 2);
    content.is_bytes = true;  // no map has numbers as values, so a missing value is empty bytes
    map[std::string(key.bytes)] = value(field, content);
  }

  Json value(const MessageField& field, const WireField& wire) {
    const std::string_view type = field.type;
    const bool is_number = type == "i" || type == "b";
    if (is_number == wire.is_bytes) {
      damaged();
      return nullptr;
    }
    if (type == "i") return static_cast<std::int64_t>(wire.number);
    if (type == "b") return wire.number != 0;
    if (type == "s") return std::string(wire.bytes);
    if (type == "x") return base64_encode(wire.bytes);
    if (type == "T" || type == "U") return time(wire.bytes, type == "U");
    if (type == "Q") return std::string(wrapped(wire.bytes, 1).bytes);
    if (type == "R" || type == "F") {
      return parse_json(wrapped(wire.bytes, 1).bytes).value_or(Json::object());
    }
    if (type == "I") {
      if (wrapped(wire.bytes, 1).number == 1) return std::string(wrapped(wire.bytes, 3).bytes);
      return static_cast<std::int64_t>(wrapped(wire.bytes, 2).number);
    }
    return message(type, wire.bytes);
  }

  Json time(std::string_view bytes, bool with_micros) {
    constexpr std::int64_t kYear9999 = 253402300799;
    const auto seconds = static_cast<std::int64_t>(wrapped(bytes, 1).number);
    const auto nanos = wrapped(bytes, 2).number;
    if (bytes.empty()) return nullptr;
    if (seconds < -62135596800 || seconds > kYear9999 || nanos > 999'999'999) {
      damaged();
      return nullptr;
    }
    std::string time = timestamp_text(std::chrono::sys_seconds(std::chrono::seconds(seconds)));
    if (with_micros) time.replace(time.size() - 1, 1, fmt::format(".{:06}Z", nanos / 1000));
    return time;
  }

  /// Returns the last field with number `tag` in `bytes`, a message that wraps other values.
  WireField wrapped(std::string_view bytes, std::uint64_t tag) {
    WireField result;
    ProtobufReader reader(bytes);
    while (const auto wire = reader.next()) {
      if (wire->tag == tag) result = *wire;
    }
    if (reader.is_damaged()) damaged();
    return result;
  }

  int depth_ = 0;
  std::optional<ApiStatus> problem_;
};

enum class WireType : std::uint64_t { number = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

}  // namespace

ApiResult<Json> object_from_protobuf(std::string_view body) {
  ProtobufDecoder decoder;
  if (!body.starts_with(kMagic)) {
    return std::unexpected(bad_request("the body of the request is not a protobuf object"));
  }
  // The envelope contains the type and the bytes of the object.
  std::string api_version;
  std::string kind;
  std::string_view raw;
  ProtobufReader envelope(body.substr(kMagic.size()));
  while (const auto part = envelope.next()) {
    if (part->tag == 2) raw = part->bytes;
    if (part->tag != 1) continue;
    ProtobufReader type(part->bytes);
    while (const auto word = type.next()) {
      if (word->tag == 1) api_version = word->bytes;
      if (word->tag == 2) kind = word->bytes;
    }
  }
  if (envelope.is_damaged()) decoder.damaged();
  if (message_fields(kind) == nullptr) {
    ApiStatus status = unsupported_media_type("application/json");
    status.message +=
        fmt::format(" (the sandbox does not know the protobuf of {} {})", api_version, kind);
    decoder.refuse(std::move(status));
  }
  Json object = {{"kind", kind}, {"apiVersion", api_version}};
  if (!decoder.problem()) object.update(decoder.message(kind, raw));
  if (decoder.problem()) return std::unexpected(*decoder.problem());
  return object;
}

std::uint64_t ProtobufReader::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  damaged_ = true;
  return 0;
}

std::string_view ProtobufReader::take(std::uint64_t size) {
  damaged_ = damaged_ || size > rest_.size();
  if (damaged_) return {};
  const std::string_view bytes = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return bytes;
}

std::optional<WireField> ProtobufReader::next() {
  if (rest_.empty() || damaged_) return std::nullopt;
  const std::uint64_t key = varint();
  const auto type = static_cast<WireType>(key & 7);
  WireField field;
  field.tag = key >> 3;
  field.is_bytes = type != WireType::number;
  if (type == WireType::number) {
    field.number = varint();
  } else if (type == WireType::bytes) {
    field.bytes = take(varint());
  } else if (type == WireType::fixed64 || type == WireType::fixed32) {
    field.bytes = take(type == WireType::fixed64 ? 8 : 4);
  } else {
    damaged_ = true;
  }
  return damaged_ ? std::nullopt : std::optional(field);
}

}  // namespace kinf::sandbox
