// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/managed_fields.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace kinf::sandbox {
namespace {

/// Members that the server sets. They belong to no manager.
bool is_system_field(std::string_view path) {
  constexpr std::array kFields = {
      "/apiVersion",
      "/kind",
      "/metadata/name",
      "/metadata/generateName",
      "/metadata/namespace",
      "/metadata/uid",
      "/metadata/resourceVersion",
      "/metadata/generation",
      "/metadata/creationTimestamp",
      "/metadata/deletionTimestamp",
      "/metadata/deletionGracePeriodSeconds",
      "/metadata/managedFields",
      "/metadata/selfLink",
  };
  return std::ranges::any_of(kFields, [&](const char* each) { return path == each; });
}

/// Returns the member that identifies the elements of a list, or an empty string if the list is
/// owned as a whole.
std::string_view list_key(std::string_view list) {
  if (list.ends_with("ontainers") || list == "volumes" || list == "env") return "name";
  if (list == "conditions" || list == "addresses") return "type";
  if (list == "ownerReferences") return "uid";
  if (list == "podIPs" || list == "hostIPs") return "ip";
  if (list == "volumeMounts") return "mountPath";
  return "";
}

const Json* element_with(const Json& list, const std::string& key, const Json& value) {
  for (const Json& each : elements(list)) {
    if (field(each, key) == value) return &each;
  }
  return nullptr;
}

/// A set of fields in the form of fieldsV1. Recursion is bounded by the depth of the object.
Json changed_fields(const Json& before, const Json& after, const std::string& path);

Json changed_elements(const Json& before, const Json& after, const std::string& key) {
  Json result = Json::object();
  for (const Json& each : after) {
    const Json& id = field(each, key);
    const Json* old = element_with(before, key, id);
    Json inner = changed_fields(old == nullptr ? Json::object() : *old, each, "/-");
    if (inner.empty()) continue;
    if (old == nullptr) inner["."] = Json::object();
    result["k:" + to_text(Json{{key, id}})] = std::move(inner);
  }
  return result;
}

Json changed_fields(const Json& before, const Json& after, const std::string& path) {
  Json result = Json::object();
  for (const auto& [name, value] : after.items()) {
    const std::string inner_path = path + "/" + name;
    const Json& old = field(before, name);
    if (is_system_field(inner_path) || (old == value && before.contains(name))) continue;
    const std::string key(list_key(name));
    Json inner = Json::object();
    if (value.is_object() && !value.empty()) {
      inner = changed_fields(old.is_object() ? old : Json::object(), value, inner_path);
      if (inner.empty()) continue;
      const bool is_root = path.empty();
      if (!old.is_object() && !is_root) inner["."] = Json::object();
    } else if (value.is_array() && !value.empty() && !key.empty() &&
               std::ranges::all_of(value, [&](const Json& each) { return each.contains(key); })) {
      inner = changed_elements(old, value, key);
      if (!old.is_array()) inner["."] = Json::object();
    }
    result["f:" + name] = std::move(inner);
  }
  return result;
}

/// Adds the fields of `more` to `fields`.
void add_fields(Json& fields, const Json& more) {
  for (const auto& [name, inner] : more.items()) {
    if (fields.contains(name)) {
      add_fields(fields[name], inner);
    } else {
      fields[name] = inner;
    }
  }
}

/// Removes the leaves of `other` from `fields`, and what is empty then.
void remove_fields(Json& fields, const Json& other) {
  for (const auto& [name, inner] : other.items()) {
    if (!fields.contains(name)) continue;
    const bool was_leaf = fields[name].empty();
    if (!inner.empty()) remove_fields(fields[name], inner);
    if (inner.empty() || (!was_leaf && fields[name].empty())) fields.erase(name);
  }
}

/// Returns the part of `value` that the member `name` of fieldsV1 names, or null.
const Json* named_value(const Json& value, const std::string& name) {
  if (name.starts_with("f:")) {
    const auto found = value.is_object() ? value.find(name.substr(2)) : value.end();
    return value.is_object() && found != value.end() ? &*found : nullptr;
  }
  const std::optional<Json> key =
      name.starts_with("k:") ? parse_json(name.substr(2)) : std::nullopt;
  if (!key || !key->is_object() || key->empty()) return nullptr;
  return element_with(value, key->begin().key(), key->begin().value());
}

/// Removes the fields that `value` does not have any more.
void drop_absent(Json& fields, const Json& value) {
  for (auto each = fields.begin(); each != fields.end();) {
    const bool is_own = each.key() == ".";
    const Json* there = is_own ? nullptr : named_value(value, each.key());
    bool is_kept = is_own || there != nullptr;
    if (there != nullptr && !each->empty()) {
      drop_absent(*each, *there);
      is_kept = !each->empty();
    }
    is_kept ? (void)++each : (void)(each = fields.erase(each));
  }
}

/// Returns true if the elements of a list have the same identity.
bool is_same_element(const Json& one, const Json& other) {
  return std::ranges::all_of(std::array{"name", "type", "uid", "ip", "mountPath"},
                             [&](const char* key) { return field(one, key) == field(other, key); });
}

/// Returns true if `before` has members or elements that `after` does not have.
bool has_removed(const Json& before, const Json& after) {
  if (before.type() != after.type()) return before.is_structured() && !before.empty();
  if (before.is_array()) {
    // Elements are compared by position: another order is a removal, too.
    return before.size() != after.size() ||
           !std::equal(before.begin(), before.end(), after.begin(),
                       [](const Json& one, const Json& other) {
                         return is_same_element(one, other) && !has_removed(one, other);
                       });
  }
  if (!before.is_object()) return false;
  for (const auto& [name, value] : before.items()) {
    if (name != "managedFields" && (!after.contains(name) || has_removed(value, after[name]))) {
      return true;
    }
  }
  return false;
}

bool is_by(const Json& entry, const FieldManager& manager) {
  return text(field(entry, "manager")) == manager.name &&
         text(field(entry, "operation")) == manager.operation &&
         text(field(entry, "subresource")) == manager.subresource;
}

}  // namespace

void record_manager(const Json& before, Json& after, const FieldManager& manager,
                    const std::string& now) {
  if (manager.name.empty()) return;
  Json changed = changed_fields(before, after, "");
  Json& metadata = object_at(after, "metadata");
  const Json& recorded = field(before, "metadata", "managedFields");
  if (changed.empty()) {
    if (!recorded.is_null()) metadata["managedFields"] = recorded;
    return;
  }
  const bool must_drop = has_removed(before, after);
  Json own = Json::object();
  Json entries = Json::array();
  for (const Json& entry : elements(recorded)) {
    if (!field(entry, "fieldsV1").is_object()) continue;
    Json kept = entry;
    Json& fields = kept["fieldsV1"];
    if (must_drop) drop_absent(fields, after);
    if (is_by(entry, manager)) {
      own = std::move(fields);
      continue;
    }
    remove_fields(fields, changed);
    if (!fields.empty()) entries.push_back(std::move(kept));
  }
  add_fields(own, changed);
  Json entry = {{"manager", manager.name},
                {"operation", manager.operation},
                {"apiVersion", field(after, "apiVersion")},
                {"time", now},
                {"fieldsType", "FieldsV1"},
                {"fieldsV1", std::move(own)}};
  if (!manager.subresource.empty()) entry["subresource"] = manager.subresource;
  entries.push_back(std::move(entry));
  metadata["managedFields"] = std::move(entries);
}

}  // namespace kinf::sandbox
