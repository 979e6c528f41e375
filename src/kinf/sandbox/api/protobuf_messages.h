// SPDX-License-Identifier: Apache-2.0
// The protobuf messages of built-in objects: the names, numbers and types of their fields.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace kinf::sandbox {

struct MessageField {
  std::string name;
  /// The name of a message, or a simple type: s string, i integer, b boolean, x bytes, T time, U
  /// time with microseconds, Q quantity, I integer or string, R raw object, F set of fields.
  std::string type;
  bool is_list = false;
  bool is_map = false;        ///< a map with string keys
  bool has_presence = false;  ///< the field is kept even if it is empty or 0 (a pointer in Go)
  bool is_inline = false;     ///< the outer message contains the fields of `type` directly
};
using MessageFields = std::map<std::uint64_t, MessageField>;

/// Returns the fields of a message, or null if it is unknown. The name of an object's message is
/// its kind.
const MessageFields* message_fields(std::string_view message);

}  // namespace kinf::sandbox
