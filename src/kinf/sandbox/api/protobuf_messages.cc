// SPDX-License-Identifier: Apache-2.0
// Source: the .proto files and Go types of k8s.io/api v0.36.3.
#include "kinf/sandbox/api/protobuf_messages.h"

#include <charconv>
#include <sstream>
#include <utility>
#include <vector>

#include "kinf/base/ascii.h"

namespace kinf::sandbox {
namespace {

/// The messages. Each line has the names of messages, separated by commas, and then their fields,
/// such as `1metadata:ObjectMeta 2replicas:i?`. A line that begins with a space continues the
/// previous line. Before a type, `*` means list and `%` means map. `&` at the start of a type
/// stands for the name of the message. After a type, `?` means has_presence and `^` means
/// is_inline.
constexpr const char* kMessages =
#include "kinf/sandbox/api/protobuf_messages.inc"
    ;

using Messages = std::map<std::string, MessageFields, std::less<>>;

/// Parses a field such as `2replicas:i?` and adds it to the message `owner`.
void add_field(std::string_view text, const std::string& owner, MessageFields& into) {
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
  if (text.starts_with('&')) field.type.replace(0, 1, owner);
  into[number] = std::move(field);
}

Messages read_messages() {
  Messages result;
  std::vector<std::string> names;
  std::istringstream lines(kMessages);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(' ')) names.clear();
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      if (is_digit(word.front())) {
        for (const std::string& name : names) add_field(word, name, result[name]);
      } else {
        for (std::string_view rest = word; !rest.empty();) {
          names.emplace_back(take_until(rest, ","));
        }
      }
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
