// SPDX-License-Identifier: Apache-2.0
// ProtobufReader: reads the fields of a protobuf message one by one. It only knows the wire format,
// not the message types.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace kinf::sandbox {

/// A field: a number, or bytes such as a string or a message.
struct WireField {
  std::uint64_t tag = 0;  ///< the field's number in the message
  bool is_bytes = false;
  std::uint64_t number = 0;
  std::string_view bytes;  ///< a view into the message
};

class ProtobufReader {
 public:
  explicit ProtobufReader(std::string_view message) : rest_(message) {}

  /// Returns the next field, or nullopt at the end or if the message is damaged.
  std::optional<WireField> next();
  bool is_damaged() const { return damaged_; }

 private:
  std::optional<std::uint64_t> varint();
  std::optional<std::string_view> take(std::uint64_t size);

  std::string_view rest_;
  bool damaged_ = false;
};

}  // namespace kinf::sandbox
