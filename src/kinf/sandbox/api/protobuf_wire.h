// SPDX-License-Identifier: Apache-2.0
// ProtobufReader: the fields of one protobuf message, one after the other. Knows the wire format,
// nothing of what the fields mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace kinf::sandbox {

/// One field: a number, or bytes (text, a message).
struct WireField {
  std::uint64_t tag = 0;  ///< the field's number in the message
  bool is_bytes = false;
  std::uint64_t number = 0;
  std::string_view bytes;  ///< of the message read
};

class ProtobufReader {
 public:
  explicit ProtobufReader(std::string_view message) : rest_(message) {}

  /// Empty at the end, and when the message is damaged.
  std::optional<WireField> next();
  bool is_damaged() const { return damaged_; }

 private:
  std::optional<std::uint64_t> varint();
  std::optional<std::string_view> take(std::uint64_t size);

  std::string_view rest_;
  bool damaged_ = false;
};

}  // namespace kinf::sandbox
