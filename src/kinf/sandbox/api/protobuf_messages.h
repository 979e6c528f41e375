// SPDX-License-Identifier: Apache-2.0
// What the built-in objects consist of, as their protobuf messages say it: which fields there are,
// under which number, of which type.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace kinf::sandbox {

struct MessageField {
  std::string name;
  /// A message, or: s text, i integer, b boolean, x bytes, T and U times, Q quantity, I integer or
  /// text, R raw object, F set of fields.
  std::string type;
  bool is_list = false;
  bool is_map = false;        ///< from text
  bool has_presence = false;  ///< shown if it is there, even empty or 0; else that says nothing
  bool is_inline = false;     ///< its fields belong to the message around it
};
using MessageFields = std::map<std::uint64_t, MessageField>;

/// Of the message of that name, which for an object is its kind; null if it is not known.
const MessageFields* message_fields(std::string_view message);

/// The messages as text, one a line: a name and its fields, `1metadata:ObjectMeta 2replicas:i?`;
/// a line that begins with a blank goes on with the one before. Before a type `*` makes a list, `%`
/// a map; behind it `?` is has_presence, `^` is_inline.
extern const char* const kProtobufMessagesAToM;
extern const char* const kProtobufMessagesNToZ;

}  // namespace kinf::sandbox
