// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/completion/field_paths.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace kinf {
namespace {

using Json = nlohmann::json;

bool is_plain(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-';
  });
}

/// Calls `visit` with each value at `path`, which consists of `.name` and `[*]`.
template <class Visit>
void visit_values(const Json& value, std::string_view path, const Visit& visit) {
  if (path.empty()) return visit(value);
  if (path.starts_with("[*]")) {
    if (!value.is_array()) return;
    for (const Json& element : value) visit_values(element, path.substr(3), visit);
    return;
  }
  if (!value.is_object() || path.front() != '.') return;
  const std::size_t end = std::min(path.find_first_of(".[", 1), path.size());
  const auto member = value.find(std::string(path.substr(1, end - 1)));
  if (member != value.end()) visit_values(*member, path.substr(end), visit);
}

/// Returns the path of the value whose fields are being typed: all but the last name.
std::string_view parent_of(std::string_view typed) {
  const std::size_t last = typed.find_last_of(".[");
  return typed.substr(0, last);
}

}  // namespace

std::vector<FieldPath> field_paths(const std::vector<ObjectPtr>& objects, std::string_view typed) {
  if (!typed.starts_with('.')) return {};
  const std::string parent(parent_of(typed));
  std::map<std::string, bool> found;
  const auto add = [&](const std::string& path, const Json& value) {
    if (path.starts_with(typed)) found[path] |= value.is_structured() && !value.empty();
  };
  Scratch scratch;
  for (const ObjectPtr& object : objects) {
    const Json document = Json::parse(object->json(scratch), nullptr, false);
    visit_values(document, parent, [&](const Json& value) {
      if (value.is_array() && !value.empty()) add(parent + "[*]", value.front());
      if (!value.is_object()) return;
      for (const auto& [name, member] : value.items()) {
        if (is_plain(name) && name != "managedFields") add(parent + "." + name, member);
      }
    });
  }
  std::vector<FieldPath> paths;
  for (const auto& [path, has_fields] : found) paths.push_back({path, has_fields});
  return paths;
}

std::set<std::string> member_names(const std::vector<ObjectPtr>& objects, std::string_view path) {
  std::set<std::string> names;
  Scratch scratch;
  for (const ObjectPtr& object : objects) {
    const Json document = Json::parse(object->json(scratch), nullptr, false);
    visit_values(document, path, [&](const Json& value) {
      if (!value.is_object()) return;
      for (const auto& [name, member] : value.items()) names.insert(name);
    });
  }
  return names;
}

}  // namespace kinf
