// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/completion/completer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "kinf/client/discovery.h"

namespace kinf {
namespace {

bool has_slash(std::string_view word) { return word.find('/') != std::string_view::npos; }

/// Describes a type: `Deployment apps/v1 (deploy)`.
std::string description_of(const ApiResource& resource) {
  std::string text = fmt::format("{} {}", resource.type.kind, resource.type.api_version());
  if (!resource.short_names.empty()) {
    text += fmt::format(" ({})", fmt::join(resource.short_names, ", "));
  }
  return text;
}

/// Returns `name`, the full name of a type, if it begins with `typed`. Otherwise returns a short
/// name that begins with `typed`, or `name` if there is no such short name.
std::string matching_name(const ApiResource& resource, std::string name, std::string_view typed) {
  if (name.starts_with(typed)) return name;
  const auto match = std::ranges::find_if(
      resource.short_names, [&](const std::string& one) { return one.starts_with(typed); });
  return match == resource.short_names.end() ? name : *match;
}

}  // namespace

void add_types(CandidateList& list, CompletionWorld& world, bool as_owner) {
  std::set<std::string> names;
  std::set<std::string> categories;
  for (const ApiResource& resource : world.types()) {
    if (!resource.has_verb("list") || !resource.has_verb("watch")) continue;
    // Only the first type with this name can be named without its group.
    const bool is_first = names.insert(resource.type.gvr.resource).second;
    std::string name = matching_name(
        resource, is_first ? resource.type.gvr.resource : resource.type.gvr.group_resource(),
        list.typed());
    if (as_owner) name += "/";
    list.add(name, description_of(resource), !as_owner);
    categories.insert(resource.categories.begin(), resource.categories.end());
  }
  if (as_owner) return;
  for (const std::string& category : categories) list.add(category, "category");
}

Completion complete_pair(std::string_view word, CompletionWorld& world) {
  CandidateList list(word);
  if (!has_slash(word)) {
    add_types(list, world, true);
    return list.take();
  }
  const std::string type(word.substr(0, word.find('/')));
  list.skip(type.size() + 1);
  for (const ObjectPtr& object : world.objects({type}, ObjectPart::metadata)) {
    list.add(object->name());
  }
  return list.take();
}

Completion complete_object_argument(const TypedLine& line, CompletionWorld& world) {
  if (has_slash(line.word)) return complete_pair(line.word, world);
  if (line.args.empty()) {
    CandidateList list(line.word, CandidateList::Form::list);
    add_types(list, world);
    return list.take();
  }
  if (has_slash(line.args.front())) return complete_pair(line.word, world);
  CandidateList list(line.word);
  for (const ObjectPtr& object : world.objects(typed_types(line), ObjectPart::metadata)) {
    const bool is_typed = std::ranges::find(line.args, object->name()) != line.args.end();
    if (!is_typed) list.add(object->name());
  }
  return list.take();
}

}  // namespace kinf
