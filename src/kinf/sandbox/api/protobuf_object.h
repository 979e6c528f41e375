// SPDX-License-Identifier: Apache-2.0
// Decodes objects that clients send as protobuf. Typed Go clients do so by default, for example in
// `kubectl create deployment`. Responses are always JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "kinf/sandbox/api/api_errors.h"

namespace kinf::sandbox {

constexpr std::string_view kProtobufType = "application/vnd.kubernetes.protobuf";

/// Returns the object as JSON. Fails with 400 if the bytes are damaged, and with 415 if the sandbox
/// does not know the kind or a field, so that no data is lost silently.
ApiResult<Json> object_from_protobuf(std::string_view body);

/// A field of a message: a number, or bytes such as a string or a message.
struct WireField {
  std::uint64_t tag = 0;  ///< the field's number in the message
  bool is_bytes = false;
  std::uint64_t number = 0;
  std::string_view bytes;  ///< a view into the message
};

/// Reads the fields of a protobuf message one by one. Uses only the wire format, not the message
/// types.
class ProtobufReader {
 public:
  explicit ProtobufReader(std::string_view message) : rest_(message) {}

  /// Returns the next field, or nullopt at the end or if the message is damaged.
  std::optional<WireField> next();
  bool is_damaged() const { return damaged_; }

 private:
  // These functions return 0 or no bytes and set damaged_ if the message is too short.
  std::uint64_t varint();
  std::string_view take(std::uint64_t size);

  std::string_view rest_;
  bool damaged_ = false;
};

}  // namespace kinf::sandbox
