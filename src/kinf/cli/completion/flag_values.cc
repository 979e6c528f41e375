// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/completion/flag_values.h"

#include <algorithm>

#include "kinf/cli/completion/object_values.h"
#include "kinf/cli/completion/object_words.h"
#include "kinf/cli/flags/flag_notes.h"
#include "kinf/print/output_form.h"
#include "kinf/sandbox/sandbox.h"

namespace kinf {
namespace {

/// Adds the entries of the kubeconfig, namespaces or groups of types. Returns false for other kinds
/// of values.
bool add_names(CandidateList& list, ValueKind kind, CompletionWorld& world) {
  if (kind == ValueKind::context || kind == ValueKind::contexts) {
    add_all(list, world.contexts());
  } else if (kind == ValueKind::cluster) {
    add_all(list, world.clusters());
  } else if (kind == ValueKind::user) {
    add_all(list, world.users());
  } else if (kind == ValueKind::name_space) {
    if (list.typed().starts_with('!')) list.skip(1);
    add_all(list, world.namespaces());
  } else if (kind == ValueKind::api_group) {
    for (const ApiResource& type : world.types()) list.add(type.type.gvr.group);
  } else {
    return false;
  }
  return true;
}

bool has_commas(ValueKind kind) {
  switch (kind) {
    case ValueKind::word_list:
    case ValueKind::contexts:
    case ValueKind::name_space:
    case ValueKind::label_selector:
    case ValueKind::label_keys:
    case ValueKind::namespace_labels:
    case ValueKind::field_selector:
    case ValueKind::sort_paths:
    case ValueKind::index_order:
      return true;
    default:
      return false;
  }
}

}  // namespace

Completion complete_flag_value(const TypedLine& line, CompletionWorld& world) {
  const FlagNote* const note = note_of(line.flag, line.command);
  if (note == nullptr) return {};
  if (note->kind == ValueKind::file) return {.fallback = Fallback::files};
  if (note->kind == ValueKind::folder) return {.fallback = Fallback::folders};
  if (note->kind == ValueKind::object) return complete_pair(line.word, world);
  CandidateList list(line.word,
                     has_commas(note->kind) ? CandidateList::Form::list : CandidateList::Form::one);
  if (note->kind == ValueKind::scenario) {
    add_all(list, Sandbox::scenario_names());
    return list.take(Fallback::files);
  }
  if (note->kind == ValueKind::output) {
    add_all(list, output_words(line.command == "index"));
  } else if (!add_names(list, note->kind, world)) {
    add_object_values(list, *note, line, world);
  }
  const auto info = std::ranges::find(line.known_flags, line.flag, &FlagInfo::name);
  if (info != line.known_flags.end()) add_all(list, info->words);
  return list.take();
}

}  // namespace kinf
