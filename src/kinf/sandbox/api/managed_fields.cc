// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/managed_fields.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kinf/kubernetes/merge_keys.h"
#include "kinf/sandbox/store/json_index.h"

namespace kinf::sandbox {
namespace {

/// Returns whether the server itself sets the member at `path`. Such members belong to no manager.
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

/// The members that identify an item of a list, such as `name`. Empty if the items are plain
/// values.
using KeyMembers = std::vector<std::string>;

KeyMembers members_of(const MergeKey& key) {
  KeyMembers members;
  for (const std::string_view member : {key.first, key.second}) {
    if (!member.empty()) members.emplace_back(member);
  }
  return members;
}

/// Returns the name of an item in fieldsV1, such as `k:{"name":"web"}` or `v:"value"`. Returns
/// nullopt if the item lacks a member of the key.
std::optional<std::string> item_name(const Json& item, const KeyMembers& key) {
  if (key.empty()) {
    return item.is_structured() ? std::nullopt : std::optional("v:" + to_text(item));
  }
  Json id = Json::object();
  for (const std::string& member : key) {
    const Json& value = field(item, member);
    id[member] = value.is_null() ? Json(default_in_key(member)) : value;
    if (id[member] == Json("")) return std::nullopt;
  }
  return "k:" + to_text(id);
}

/// Finds the items of a list by their names in fieldsV1. If several items have the same name, finds
/// the first.
class NamedItems {
 public:
  /// `list` must outlive this object and must not change.
  NamedItems(const Json& list, const KeyMembers& key) {
    for (const Json& item : elements(list)) {
      if (const auto name = item_name(item, key)) items_.try_emplace(*name, &item);
    }
  }
  /// Returns null if there is no such item.
  const Json* find(const std::string& name) const {
    const auto found = items_.find(name);
    return found == items_.end() ? nullptr : found->second;
  }

 private:
  std::unordered_map<std::string, const Json*> items_;
};

/// Compares an object with its state before a change. Recursion is bounded by the depth of the
/// object. Caches the indexes of old values, because many new items can have the same name and are
/// then compared with the same old item.
class Comparison {
 public:
  explicit Comparison(std::string kind) : kind_(std::move(kind)) {}

  /// Returns the fields that `after` adds to `before` or changes, in the form of fieldsV1. Both are
  /// values of the member `parent`.
  Json changed_fields(const Json& before, const Json& after, const std::string& path,
                      std::string_view parent) {
    Json result = Json::object();
    const MemberIndex& old_members = members_.try_emplace(&before, before).first->second;
    for (const auto& [name, value] : after.items()) {
      const std::string inner_path = path + "/" + name;
      const Json* found = old_members.find(name);
      const Json& old = found == nullptr ? absent_ : *found;
      if (is_system_field(inner_path) || (found != nullptr && old == value)) continue;
      Json inner = Json::object();
      if (value.is_object() && !value.empty()) {
        inner = changed_fields(old, value, inner_path, name);
        if (inner.empty()) continue;
        const bool is_root = path.empty();
        if (!old.is_object() && !is_root) inner["."] = Json::object();
      } else if (value.is_array() && !value.empty()) {
        const ListField* list = find_list(name, parent, kind_);
        std::optional<Json> items;
        if (list != nullptr && list->has_owners) items = changed_items(old, value, *list);
        if (items) {
          inner = *std::move(items);
          if (!old.is_array()) inner["."] = Json::object();
          if (inner.empty()) continue;  // items were only removed or moved
        }
      }
      append_member(result, "f:" + name, std::move(inner));
    }
    return result;
  }

 private:
  /// Returns the items that `after` adds or changes. Returns nullopt if an item has no name.
  std::optional<Json> changed_items(const Json& before, const Json& after, const ListField& list) {
    const KeyMembers key = members_of(*list.key);
    Json result = Json::object();
    MemberEditor members(result);
    const NamedItems& old_items = items_.try_emplace(&before, before, key).first->second;
    for (const Json& item : after) {
      const std::optional<std::string> name = item_name(item, key);
      if (!name) return std::nullopt;
      const Json* old = old_items.find(*name);
      Json inner = Json::object();
      if (!key.empty()) {
        inner = changed_fields(old == nullptr ? absent_ : *old, item, "/-", list.name);
        if (old == nullptr) inner["."] = Json::object();
      }
      if (old == nullptr || !inner.empty()) members[*name] = std::move(inner);
    }
    return result;
  }

  const std::string kind_;
  const Json absent_;
  std::unordered_map<const Json*, MemberIndex> members_;  ///< indexes by the old object
  std::unordered_map<const Json*, NamedItems> items_;     ///< indexes by the old list
};

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

/// Removes the leaves of `other` from `fields`, and the members that become empty.
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

/// Finds the parts of a value by their names in fieldsV1.
class NamedValues {
 public:
  /// `value` must outlive this object and must not change.
  explicit NamedValues(const Json& value) : value_(value), members_(value) {}

  /// Returns the part of the value that has the name `name` in fieldsV1, or null.
  const Json* find(const std::string& name) {
    if (name.starts_with("f:")) return members_.find(std::string_view(name).substr(2));
    const bool is_value = name.starts_with("v:");
    const std::optional<Json> id =
        is_value || name.starts_with("k:") ? parse_json(name.substr(2)) : std::nullopt;
    if (!id || (!is_value && id->empty())) return nullptr;
    KeyMembers key;
    if (!is_value) {
      for (const auto& [member, value] : id->items()) key.push_back(member);
    }
    const NamedItems& items = items_.try_emplace(key, value_, key).first->second;
    return items.find(name.substr(0, 2) + to_text(*id));
  }

 private:
  const Json& value_;
  const MemberIndex members_;
  std::map<KeyMembers, NamedItems> items_;
};

/// Removes from `fields` the fields that `value` no longer has.
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

/// Returns whether `before` may have members or items that `after` does not have. If a list has
/// changed, returns true without comparing the items.
bool may_have_removed(const Json& before, const Json& after) {
  if (before.type() != after.type()) return before.is_structured() && !before.empty();
  if (before.is_array()) return before != after;
  if (!before.is_object()) return false;
  const MemberIndex members(after);
  return std::ranges::any_of(before.get_ref<const Json::object_t&>(), [&](const auto& member) {
    if (member.first == "managedFields") return false;
    const Json* found = members.find(member.first);
    return found == nullptr || may_have_removed(member.second, *found);
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
  Comparison comparison(text(field(after, "kind")));
  const Json changed = comparison.changed_fields(before, after, "", "");
  Json& metadata = object_at(after, "metadata");
  const Json& recorded = field(before, "metadata", "managedFields");
  const bool must_drop = may_have_removed(before, after);
  if (changed.empty() && (recorded.is_null() || !must_drop)) {
    if (!recorded.is_null()) metadata["managedFields"] = recorded;
    return;
  }
  Json own = Json::object();
  Json entries = Json::array();
  for (const Json& entry : elements(recorded)) {
    if (!field(entry, "fieldsV1").is_object()) continue;
    Json kept = entry;
    Json& fields = kept["fieldsV1"];
    if (must_drop) drop_absent(fields, after);
    if (!changed.empty() && is_by(entry, manager)) {
      own = std::move(fields);
      continue;
    }
    remove_fields(fields, changed);
    if (!fields.empty()) entries.push_back(std::move(kept));
  }
  if (!changed.empty()) {
    add_fields(own, changed);
    entries.push_back({{"manager", manager.name},
                       {"operation", manager.operation},
                       {"apiVersion", field(after, "apiVersion")},
                       {"time", now},
                       {"fieldsType", "FieldsV1"},
                       {"fieldsV1", std::move(own)}});
    if (!manager.subresource.empty()) entries.back()["subresource"] = manager.subresource;
  }
  metadata["managedFields"] = std::move(entries);
}

}  // namespace kinf::sandbox
