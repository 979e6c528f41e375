// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/protobuf_messages.h"

#include <charconv>
#include <sstream>
#include <utility>

namespace kinf::sandbox {
namespace {

using Messages = std::map<std::string, MessageFields, std::less<>>;

/// Parses a field such as `2replicas:i?` and adds it to `into`.
void add_field(std::string_view text, MessageFields& into) {
  std::uint64_t number = 0;
  const char* name = std::from_chars(text.data(), text.data() + text.size(), number).ptr;
  text.remove_prefix(static_cast<std::size_t>(name - text.data()));
  MessageField field;
  const std::size_t colon = text.find(':');
  field.name = text.substr(0, colon);
  text.remove_prefix(colon + 1);
  field.is_list = text.starts_with('*');
  field.is_map = text.starts_with('%');
  field.has_presence = text.ends_with('?');
  field.is_inline = text.ends_with('^');
  if (field.is_list || field.is_map) text.remove_prefix(1);
  if (field.has_presence || field.is_inline) text.remove_suffix(1);
  field.type = text;
  into[number] = std::move(field);
}

Messages read_messages() {
  Messages result;
  MessageFields* message = nullptr;
  for (const char* text : {kProtobufMessagesAToM, kProtobufMessagesNToZ}) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string word;
      if (!line.starts_with(' ') && words >> word) message = &result[word];
      while (words >> word) add_field(word, *message);
    }
  }
  return result;
}

}  // namespace

const MessageFields* message_fields(std::string_view message) {
  static const Messages all = read_messages();
  const auto found = all.find(message);
  return found == all.end() ? nullptr : &found->second;
}

}  // namespace kinf::sandbox
