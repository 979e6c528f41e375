// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/managed_fields.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "kinf/sandbox/store/json_index.h"

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

/// Finds the elements of a list by the member that identifies them.
class Elements {
 public:
  /// `list` must outlive this object unchanged.
  Elements(const Json& list, std::string key) : list_(elements(list)), key_(std::move(key)) {
    for (std::size_t i = 0; i < list_.size(); ++i) index_.add(field(list_[i], key_), i);
  }
  /// Returns the first element with this identity, or null if there is none.
  const Json* find(const Json& id) const {
    const std::size_t found =
        index_.find(id, [&](std::size_t each) { return field(list_[each], key_) == id; });
    return found == ValuePositions::kNone ? nullptr : &list_[found];
  }

 private:
  const Json& list_;
  const std::string key_;
  ValuePositions index_;
};

/// Compares an object with its state before a change. Recursion is bounded by the depth of the
/// object. Keeps the indexes, because many elements can have the same identity.
class Comparison {
 public:
  /// Returns the fields that `after` adds or changes, in the form of fieldsV1.
  Json changed_fields(const Json& before, const Json& after, const std::string& path);

 private:
  Json changed_elements(const Json& before, const Json& after, const std::string& key);

  const Json absent_;
  std::unordered_map<const Json*, MemberIndex> members_;  ///< by the object before
  std::unordered_map<const Json*, Elements> elements_;    ///< by the list before
};

Json Comparison::changed_elements(const Json& before, const Json& after, const std::string& key) {
  Json result = Json::object();
  MemberEditor members(result);
  const Elements& old_elements = elements_.try_emplace(&before, before, key).first->second;
  for (const Json& each : after) {
    const Json& id = field(each, key);
    const Json* old = old_elements.find(id);
    Json inner = changed_fields(old == nullptr ? absent_ : *old, each, "/-");
    if (inner.empty()) continue;
    if (old == nullptr) inner["."] = Json::object();
    members["k:" + to_text(Json{{key, id}})] = std::move(inner);
  }
  return result;
}

Json Comparison::changed_fields(const Json& before, const Json& after, const std::string& path) {
  Json result = Json::object();
  const MemberIndex& old_members = members_.try_emplace(&before, before).first->second;
  for (const auto& [name, value] : after.items()) {
    const std::string inner_path = path + "/" + name;
    const Json* found = old_members.find(name);
    const Json& old = found == nullptr ? absent_ : *found;
    if (is_system_field(inner_path) || (found != nullptr && old == value)) continue;
    const std::string key(list_key(name));
    Json inner = Json::object();
    if (value.is_object() && !value.empty()) {
      inner = changed_fields(old, value, inner_path);
      if (inner.empty()) continue;
      const bool is_root = path.empty();
      if (!old.is_object() && !is_root) inner["."] = Json::object();
    } else if (value.is_array() && !value.empty() && !key.empty() &&
               std::ranges::all_of(value, [&](const Json& each) { return each.contains(key); })) {
      inner = changed_elements(old, value, key);
      if (!old.is_array()) inner["."] = Json::object();
    }
    append_member(result, "f:" + name, std::move(inner));
  }
  return result;
}

/// Adds the fields of `more` to `fields`.
void add_fields(Json& fields, const Json& more) {
  if (more.empty()) return;
  if (fields.is_null()) fields = Json::object();
  MemberEditor members(fields);
  for (const auto& [name, inner] : more.items()) {
    if (Json* known = members.find(name)) {
      add_fields(*known, inner);
    } else {
      members[name] = inner;
    }
  }
}

/// Removes the leaves of `other` from `fields`, and what is empty then.
void remove_fields(Json& fields, const Json& other) {
  if (!fields.is_object()) return;
  MemberEditor members(fields);
  for (const auto& [name, inner] : other.items()) {
    Json* known = members.find(name);
    if (known == nullptr) continue;
    const bool was_leaf = known->empty();
    if (!inner.empty()) remove_fields(*known, inner);
    if (inner.empty() || (!was_leaf && known->empty())) members.erase(name);
  }
  members.finish();
}

/// Finds what the members of fieldsV1 name.
class NamedValues {
 public:
  /// `value` must outlive this object unchanged.
  explicit NamedValues(const Json& value) : value_(value), members_(value) {}

  /// Returns the part of the value that the member `name` names, or null.
  const Json* find(const std::string& name) {
    if (name.starts_with("f:")) return members_.find(std::string_view(name).substr(2));
    const std::optional<Json> key =
        name.starts_with("k:") ? parse_json(name.substr(2)) : std::nullopt;
    if (!key || !key->is_object() || key->empty()) return nullptr;
    const auto& [member, id] = *key->get_ref<const Json::object_t&>().begin();
    return elements_.try_emplace(member, value_, member).first->second.find(id);
  }

 private:
  const Json& value_;
  const MemberIndex members_;
  std::map<std::string, Elements> elements_;  ///< by the member that identifies them
};

/// Removes the fields that `value` does not have any more.
void drop_absent(Json& fields, const Json& value) {
  if (!fields.is_object()) return;
  NamedValues values(value);
  Json kept = Json::object();
  for (auto& [name, inner] : fields.get_ref<Json::object_t&>()) {
    const bool is_own = name == ".";
    const Json* there = is_own ? nullptr : values.find(name);
    bool is_kept = is_own || there != nullptr;
    if (there != nullptr && !inner.empty()) {
      drop_absent(inner, *there);
      is_kept = !inner.empty();
    }
    if (is_kept) append_member(kept, name, std::move(inner));
  }
  fields = std::move(kept);
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
  const MemberIndex members(after);
  return std::ranges::any_of(before.get_ref<const Json::object_t&>(), [&](const auto& member) {
    if (member.first == "managedFields") return false;
    const Json* found = members.find(member.first);
    return found == nullptr || has_removed(member.second, *found);
  });
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
  Json changed = Comparison().changed_fields(before, after, "");
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
