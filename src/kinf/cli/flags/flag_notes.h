// SPDX-License-Identifier: Apache-2.0
// FlagNote: what completion says about a flag, and what it offers for its value.
#pragma once

#include <span>
#include <string_view>

namespace kinf {

/// What the value of a flag is.
enum class ValueKind {
  text,  ///< nothing to offer; also flags without a value
  words,
  word_list,  ///< words with commas
  file,
  folder,
  context,
  contexts,  ///< with commas
  cluster,
  user,
  name_space,
  label_selector,
  label_keys,
  namespace_labels,
  field_selector,
  path,         ///< of a field: .spec.nodeName
  sort_paths,   ///< paths with commas
  index_order,  ///< words, or paths with commas
  index_key,
  object,  ///< TYPE/NAME
  output,
  api_group,
  condition,
  scenario
};

struct FlagNote {
  std::string_view flag;  ///< `--output`
  std::string_view description;
  ValueKind kind = ValueKind::text;
  /// The words of the value, separated by spaces. Not needed if the parser of the flag has them.
  std::string_view words{};
  std::string_view command{};  ///< if not empty, the note is only for this command
};

/// Returns the notes of all flags.
std::span<const FlagNote> flag_notes();
/// Returns the note of a flag of `command`, or null.
const FlagNote* note_of(std::string_view flag, std::string_view command);

}  // namespace kinf
