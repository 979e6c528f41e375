// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/protobuf_wire.h"

namespace kinf::sandbox {
namespace {

enum class WireType : std::uint64_t { number = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

}  // namespace

std::optional<std::uint64_t> ProtobufReader::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  damaged_ = true;
  return std::nullopt;
}

std::optional<std::string_view> ProtobufReader::take(std::uint64_t size) {
  if (size > rest_.size()) {
    damaged_ = true;
    return std::nullopt;
  }
  const std::string_view bytes = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return bytes;
}

std::optional<WireField> ProtobufReader::next() {
  if (rest_.empty() || damaged_) return std::nullopt;
  const auto key = varint();
  if (!key) return std::nullopt;
  WireField field;
  field.tag = *key >> 3;
  std::optional<std::uint64_t> size;
  switch (static_cast<WireType>(*key & 7)) {
    case WireType::number: {
      const auto number = varint();
      if (!number) return std::nullopt;
      field.number = *number;
      return field;
    }
    case WireType::fixed64:
      size = 8;
      break;
    case WireType::fixed32:
      size = 4;
      break;
    case WireType::bytes:
      size = varint();
      break;
    default:
      damaged_ = true;
      break;
  }
  if (!size) return std::nullopt;
  const auto bytes = take(*size);
  if (!bytes) return std::nullopt;
  field.is_bytes = true;
  field.bytes = *bytes;
  return field;
}

}  // namespace kinf::sandbox
