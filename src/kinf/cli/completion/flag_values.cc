// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/completion/completer.h"

#include <algorithm>
#include <set>

#include "kinf/cli/completion/field_paths.h"
#include "kinf/cli/flags/flag_table.h"
#include "kinf/client/discovery.h"
#include "kinf/print/output_form.h"
#include "kinf/query/index_spec.h"
#include "kinf/sandbox/sandbox.h"

namespace kinf {
namespace {

/// Adds `words` as candidates. After a word that ends with `=`, the user must type a value.
template <class Words>
void add_all(CandidateList& list, const Words& words) {
  for (const std::string_view word : words) list.add(word, {}, !word.ends_with('='));
}

/// Splits `words` at spaces, and adds the parts.
void add_words(CandidateList& list, std::string_view words) { add_all(list, words_in(words)); }

std::vector<ObjectPtr> objects_of(const TypedLine& line, CompletionWorld& world, ObjectPart part) {
  const std::vector<std::string> types = typed_types(line);
  return types.empty() ? std::vector<ObjectPtr>() : world.objects(types, part);
}

void add_paths(CandidateList& list, const TypedLine& line, CompletionWorld& world) {
  if (!list.typed().starts_with('.')) return list.add(".", {}, false);
  for (const FieldPath& field :
       field_paths(objects_of(line, world, ObjectPart::whole), list.typed())) {
    list.add(field.path, {}, !field.has_fields);
  }
}

/// Adds the values that the objects have for `key`, which is a KEY of `--by`. `list.typed()` must
/// begin at the value.
void add_values(CandidateList& list, const std::string& key, const TypedLine& line,
                CompletionWorld& world) {
  const Result<IndexSpec> spec = IndexSpec::parse(key);
  if (!spec || spec->follows_owners()) return;
  std::set<std::string> values;
  const ObjectPart part = spec->needs_whole_object() ? ObjectPart::whole : ObjectPart::metadata;
  for (const ObjectPtr& object : objects_of(line, world, part)) {
    if (spec->may_show_secrets() && object->kind() == "Secret") continue;
    const std::vector<std::string> some = spec->values(*object);
    values.insert(some.begin(), some.end());
  }
  for (const std::string& value : values) {
    // A value with one of these characters would be read as a list or a glob.
    if (value.find_first_of(",*?\\") == std::string::npos) list.add(value);
  }
}

std::set<std::string> label_keys_of(const std::vector<ObjectPtr>& objects) {
  std::set<std::string> keys;
  for (const ObjectPtr& object : objects) {
    for (std::size_t i = 0; i < object->label_count(); ++i) keys.emplace(object->label_at(i).first);
  }
  return keys;
}

/// Completes one requirement of a label selector: `app=`, `app!=web` or `!app`.
void add_labels(CandidateList& list, const std::vector<ObjectPtr>& objects) {
  const bool is_absent = list.typed().starts_with('!');
  if (is_absent) list.skip(1);
  const std::string key(list.typed().substr(0, list.typed().find_first_of("=!")));
  const std::size_t value = list.typed().find_first_not_of("=!", key.size());
  if (key.size() == list.typed().size()) {
    for (const std::string& one : label_keys_of(objects)) {
      list.add(is_absent ? one : one + "=", {}, is_absent);
    }
    return;
  }
  list.skip(std::min(value, list.typed().size()));
  std::set<std::string> values;
  for (const ObjectPtr& object : objects) {
    if (const auto label = object->label(key)) values.emplace(*label);
  }
  for (const std::string& one : values) list.add(one);
}

/// Completes one requirement of a field selector. Servers support few fields of each type.
void add_field_selector(CandidateList& list, const TypedLine& line, CompletionWorld& world) {
  const std::size_t equals = list.typed().find_first_of("=!");
  if (equals != std::string_view::npos) {
    const std::string key = "." + std::string(list.typed().substr(0, equals));
    const std::size_t value = list.typed().find_first_not_of("=!", equals);
    list.skip(std::min(value, list.typed().size()));
    return add_values(list, key, line, world);
  }
  add_words(list, "metadata.name= metadata.namespace=");
  const std::vector<std::string> types = typed_types(line);
  const auto has = [&](std::string_view type) {
    return std::ranges::find(types, type) != types.end();
  };
  if (has("pods") || has("pod") || has("po")) {
    add_words(list, "spec.nodeName= spec.restartPolicy= spec.serviceAccountName= status.phase=");
  }
  if (has("events") || has("event") || has("ev")) {
    add_words(list, "involvedObject.kind= involvedObject.name= reason= type=");
  }
}

/// Completes KEY, KEY=VALUE or KEY=VALUE,VALUE of `--by`.
void add_index_key(CandidateList& list, const TypedLine& line, CompletionWorld& world) {
  constexpr std::string_view kAnnotation = "annotation:";
  const std::size_t equals = list.typed().find('=');
  if (equals != std::string_view::npos) {
    const std::string key(list.typed().substr(0, equals));
    list.skip(equals + 1);
    list.begin_list();
    return add_values(list, key, line, world);
  }
  if (list.typed().starts_with('.')) return add_paths(list, line, world);
  if (list.typed().starts_with(kAnnotation)) {
    list.skip(kAnnotation.size());
    const std::vector<ObjectPtr> objects = objects_of(line, world, ObjectPart::metadata);
    for (const std::string& key : member_names(objects, ".metadata.annotations")) list.add(key);
    return;
  }
  add_all(list, IndexSpec::built_in_names());
  for (const std::string& key : label_keys_of(objects_of(line, world, ObjectPart::metadata))) {
    list.add(key, "label");
  }
  list.add(kAnnotation, "the value of an annotation", false);
}

/// Completes a condition of `wait` or `--until`: `condition=Ready` or `jsonpath=.status.phase`.
void add_condition(CandidateList& list, const FlagRow& row, const TypedLine& line,
                   CompletionWorld& world) {
  constexpr std::string_view kCondition = "condition=";
  constexpr std::string_view kPath = "jsonpath=";
  if (list.typed().starts_with(kCondition)) {
    list.skip(kCondition.size());
    add_values(list, ".status.conditions[*].type", line, world);
  } else if (list.typed().starts_with(kPath)) {
    list.skip(kPath.size());
    add_paths(list, line, world);
  } else {
    add_words(list, row.words);
  }
}

/// Completes the value of the flag that `row` describes. Offers the words of the row, and labels,
/// paths or values that existing objects have.
void add_object_values(CandidateList& list, const FlagRow& row, const TypedLine& line,
                       CompletionWorld& world) {
  switch (row.kind) {
    case ValueKind::label_selector:
      return add_labels(list, objects_of(line, world, ObjectPart::metadata));
    case ValueKind::namespace_labels:
      return add_labels(list, world.objects({"namespaces"}, ObjectPart::metadata));
    case ValueKind::label_keys:
      return add_all(list, label_keys_of(objects_of(line, world, ObjectPart::metadata)));
    case ValueKind::field_selector: return add_field_selector(list, line, world);
    case ValueKind::index_key: return add_index_key(list, line, world);
    case ValueKind::condition: return add_condition(list, row, line, world);
    case ValueKind::path:
    case ValueKind::sort_paths:
    case ValueKind::index_order: add_words(list, row.words); return add_paths(list, line, world);
    default: return add_words(list, row.words);
  }
}

/// Adds the known names if values of this kind are entries of the kubeconfig, namespaces, types
/// or API groups. Returns false for other kinds.
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
  } else if (kind == ValueKind::types) {
    add_types(list, world);
  } else if (kind == ValueKind::api_group) {
    for (const ApiResource& type : world.types()) list.add(type.type.gvr.group);
  } else {
    return false;
  }
  return true;
}

bool has_commas(ValueKind kind) {
  using enum ValueKind;
  constexpr ValueKind kLists[] = {types,          word_list,  contexts,         name_space,
                                  label_selector, label_keys, namespace_labels, field_selector,
                                  sort_paths,     index_order};
  return std::ranges::find(kLists, kind) != std::end(kLists);
}

}  // namespace

Completion complete_flag_value(const TypedLine& line, CompletionWorld& world) {
  const FlagRow* const row = find_flag(line.flag, line.command_id);
  if (row == nullptr) return {};
  if (row->kind == ValueKind::file) return {.fallback = Fallback::files};
  if (row->kind == ValueKind::folder) return {.fallback = Fallback::folders};
  if (row->kind == ValueKind::object) return complete_pair(line.word, world);
  CandidateList list(line.word,
                     has_commas(row->kind) ? CandidateList::Form::list : CandidateList::Form::one);
  if (row->kind == ValueKind::scenario) {
    add_all(list, Sandbox::scenario_names());
    return list.take(Fallback::files);
  }
  if (row->kind == ValueKind::output) {
    add_all(list, output_words(line.command_id == commands::index));
  } else if (!add_names(list, row->kind, world)) {
    add_object_values(list, *row, line, world);
  }
  return list.take();
}

}  // namespace kinf
