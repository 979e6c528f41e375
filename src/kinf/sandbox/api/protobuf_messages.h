// SPDX-License-Identifier: Apache-2.0
// The fields of the protobuf messages of built-in objects: names, numbers and types.
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
  bool is_map = false;        ///< keys are strings
  bool has_presence = false;  ///< kept even if empty or 0 (a pointer in Go)
  bool is_inline = false;     ///< its fields belong to the outer message
};
using MessageFields = std::map<std::uint64_t, MessageField>;

/// Returns the fields of a message (for an object: its kind), or null if it is unknown.
const MessageFields* message_fields(std::string_view message);

/// The messages as text, one per line: a name and its fields, `1metadata:ObjectMeta 2replicas:i?`.
/// A line that begins with a blank continues the previous one. Before a type, `*` means list and
/// `%` means map; after it, `?` means has_presence and `^` means is_inline.
extern const char* const kProtobufMessagesAToM;
extern const char* const kProtobufMessagesNToZ;

}  // namespace kinf::sandbox
