// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/patch.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "kinf/base/limits.h"
#include "kinf/base/log.h"
#include "kinf/kubernetes/merge_keys.h"
#include "kinf/sandbox/api/object_deletion.h"
#include "kinf/sandbox/store/json_index.h"

namespace kinf::sandbox {
namespace {

constexpr const char* kPatchTypes =
    "application/json-patch+json, application/merge-patch+json, "
    "application/strategic-merge-patch+json";

/// Returns the list `name` in the member `parent` if a patch merges its items. Returns null if a
/// patch replaces the list.
const ListField* merged_list(std::string_view name, std::string_view parent) {
  const ListField* list = find_list(name, parent);
  return list != nullptr && list->is_merged ? list : nullptr;
}

void patch_object(Json& target, const Json& patch, std::string_view parent,
                  const std::stop_token& stop);

Json without_directives(const Json& patch) {
  if (patch.is_object()) {
    Json result = Json::object();
    for (const auto& [key, value] : patch.get_ref<const Json::object_t&>()) {
      if (key.starts_with('$') || value.is_null()) continue;
      append_member(result, key, without_directives(value));
    }
    return result;
  }
  if (!patch.is_array()) return patch;
  Json result = Json::array();
  for (const Json& value : patch) result.push_back(without_directives(value));
  return result;
}

/// Removes the elements at the positions that are true in `removed`.
void remove_elements(Json& list, const std::vector<bool>& removed) {
  Json kept = Json::array();
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!removed[i]) kept.push_back(std::move(list[i]));
  }
  list = std::move(kept);
}

/// Merges patch elements into a list whose elements are identified by a key member.
class ListMerger {
 public:
  ListMerger(Json& list, const ListField& facts, const std::stop_token& stop)
      : list_(list),
        name_(facts.name),
        key_(facts.key->first),
        stop_(stop),
        removed_(list.size(), false) {
    for (std::size_t i = 0; i < list_.size(); ++i) add_to_index(i);
  }

  void merge(const Json& element) {
    const Json& directive = field(element, "$patch");
    const std::size_t found = find(field(element, key_));
    if (directive == Json("delete")) {
      if (found != ValuePositions::kNone) remove(found);
    } else if (directive == Json("replace")) {
      return;
    } else if (found != ValuePositions::kNone) {
      patch_object(list_[found], element, name_, stop_);
      add_to_index(found);  // the patch may have changed the key of the element
    } else {
      list_.push_back(without_directives(element));
      removed_.push_back(false);
      add_to_index(list_.size() - 1);
    }
  }
  void finish() {
    if (any_removed_) remove_elements(list_, removed_);
  }

 private:
  void remove(std::size_t position) {
    index_.remove(field(list_[position], key_), position);
    removed_[position] = any_removed_ = true;
  }
  void add_to_index(std::size_t position) { index_.add(field(list_[position], key_), position); }
  std::size_t find(const Json& id) const {
    if (id.is_null()) return ValuePositions::kNone;
    return index_.find(id, [&](std::size_t position) {
      return !removed_[position] && field(list_[position], key_) == id;
    });
  }

  Json& list_;
  const std::string_view name_;
  const std::string_view key_;
  const std::stop_token& stop_;
  ValuePositions index_;
  std::vector<bool> removed_;
  bool any_removed_ = false;
};

void merge_list(Json& target, const Json& patch, const ListField& facts,
                const std::stop_token& stop) {
  const bool replace = std::any_of(patch.begin(), patch.end(), [](const Json& element) {
    return field(element, "$patch") == Json("replace");
  });
  if (!target.is_array() || replace) target = Json::array();
  ListMerger merger(target, facts, stop);
  for (const Json& element : patch) {
    if (stop.stop_requested()) return;
    merger.merge(element);
  }
  merger.finish();
}

/// Returns an index that finds the elements of a list by their member `key`, or by the whole
/// element if `key` is empty.
ValuePositions index_of(const Json& list, std::string_view key) {
  ValuePositions index;
  for (std::size_t i = 0; i < list.size(); ++i) {
    index.add(key.empty() ? list[i] : field(list[i], key), i);
  }
  return index;
}

void merge_set(Json& target, const Json& patch) {
  if (!target.is_array()) target = Json::array();
  ValuePositions index = index_of(target, "");
  for (const Json& element : patch) {
    const auto is_same = [&](std::size_t position) { return target[position] == element; };
    if (index.find(element, is_same) != ValuePositions::kNone) continue;
    index.add(element, target.size());
    target.push_back(element);
  }
}

void delete_from_list(Json& target, const Json& elements) {
  if (!target.is_array() || !elements.is_array()) return;
  const ValuePositions index = index_of(elements, "");
  std::vector<bool> removed;
  for (const Json& element : target) {
    const auto is_same = [&](std::size_t position) { return elements[position] == element; };
    removed.push_back(index.find(element, is_same) != ValuePositions::kNone);
  }
  remove_elements(target, removed);
}

/// Applies `$setElementOrder`: moves the elements that are in `order` to the front, in that order.
void reorder_list(Json& target, const Json& order, std::string_view key) {
  if (!target.is_array() || !order.is_array()) return;
  const ValuePositions index = index_of(order, key);
  std::vector<std::pair<std::size_t, Json>> ranked;
  for (Json& element : target) {
    const Json& id = key.empty() ? element : field(element, key);
    const std::size_t rank = index.find(id, [&](std::size_t position) {
      return (key.empty() ? order[position] : field(order[position], key)) == id;
    });
    ranked.emplace_back(rank, std::move(element));
  }
  std::ranges::stable_sort(ranked, {}, &std::pair<std::size_t, Json>::first);
  std::ranges::transform(ranked, target.begin(), [](auto& each) { return std::move(each.second); });
}

/// Applies `$retainKeys`: removes the members that are not in `names`.
void retain_members(Json& target, const Json& names) {
  std::set<std::string_view> retained;
  for (const Json& name : names) {
    if (name.is_string()) retained.insert(name.get_ref<const std::string&>());
  }
  Json result = Json::object();
  for (auto& [name, value] : target.get_ref<Json::object_t&>()) {
    if (retained.contains(name)) append_member(result, name, std::move(value));
  }
  target = std::move(result);
}

/// Applies a directive to a list in `members`, the members of an object. `parent` is the member
/// whose value is this object.
void apply_directive(MemberEditor& members, const std::string& directive, const Json& value,
                     std::string_view parent) {
  constexpr std::string_view kDelete = "$deleteFromPrimitiveList/";
  constexpr std::string_view kOrder = "$setElementOrder/";
  if (directive.starts_with(kDelete)) {
    Json* list = members.find(directive.substr(kDelete.size()));
    if (list != nullptr) delete_from_list(*list, value);
  } else if (directive.starts_with(kOrder)) {
    const std::string name = directive.substr(kOrder.size());
    Json* list = members.find(name);
    const ListField* facts = merged_list(name, parent);
    const std::string_view key = facts == nullptr ? "" : facts->key->first;
    if (list != nullptr) reorder_list(*list, value, key);
  }
}

void apply_directives(Json& target, const Json& patch, std::string_view parent) {
  MemberEditor members(target);
  for (const auto& [key, value] : patch.items()) {
    if (key == "$retainKeys" && value.is_array()) {
      retain_members(target, value);
      members = MemberEditor(target);
    } else if (key.starts_with('$')) {
      apply_directive(members, key, value, parent);
    }
  }
}

/// Applies a strategic merge patch to `target`, the value of the member `parent` or one of its
/// items.
void patch_object(Json& target, const Json& patch, std::string_view parent,
                  const std::stop_token& stop) {
  if (!patch.is_object()) {
    target = patch;
    return;
  }
  if (!target.is_object() || field(patch, "$patch") == Json("replace")) {
    target = without_directives(patch);
    return;
  }
  MemberEditor members(target);
  for (const auto& [key, value] : patch.items()) {
    if (key.starts_with('$')) continue;
    const ListField* list = value.is_array() ? merged_list(key, parent) : nullptr;
    if (value.is_null() || field(value, "$patch") == Json("delete")) {
      members.erase(key);
    } else if (list != nullptr) {
      list->key->first.empty() ? merge_set(members[key], value)
                               : merge_list(members[key], value, *list, stop);
    } else if (value.is_object()) {
      patch_object(members[key], value, key, stop);
    } else {
      members[key] = value;
    }
  }
  members.finish();
  apply_directives(target, patch, parent);
}

/// Returns the size in bytes of the value that a `copy` operation copies, or 0 for any other
/// operation.
std::size_t copied_bytes(const Json& document, const Json& operation) {
  if (field(operation, "op") != Json("copy")) return 0;
  const Json::json_pointer from(text(field(operation, "from")));
  return document.contains(from) ? to_text(document.at(from)).size() : 0;
}

}  // namespace

void apply_merge_patch(Json& target, const Json& patch) {
  if (!patch.is_object()) {
    target = patch;
    return;
  }
  if (!target.is_object()) target = Json::object();
  MemberEditor members(target);
  for (const auto& [key, value] : patch.items()) {
    if (value.is_null()) {
      members.erase(key);
    } else {
      apply_merge_patch(members[key], value);
    }
  }
  members.finish();
}

void apply_strategic_patch(Json& target, const Json& patch, const std::stop_token& stop) {
  patch_object(target, patch, "", stop);
}

std::expected<Json, std::string> apply_json_patch(const Json& target, const Json& patch,
                                                  const std::stop_token& stop) {
  if (!patch.is_array()) return std::unexpected("a JSON patch must be a list of operations");
  Json result = target;
  std::size_t copied = 0;  // limited, because repeated copies grow the document exponentially
  for (const Json& operation : patch) {
    if (stop.stop_requested()) return std::unexpected("the sandbox stops");
    try {
      copied += copied_bytes(result, operation);
      if (copied > limits::kPatchCopyBytes) return std::unexpected("the document gets too large");
      result.patch_inplace(Json::array({operation}));
    } catch (const Json::exception& failure) {
      return std::unexpected(failure.what());
    }
  }
  if (!result.is_object()) return std::unexpected("the result is not an object");
  return result;
}

ApiResult<ObjectEdit> parse_patch(const ApiType& type, const std::string& media_type,
                                  const std::string& body, const std::stop_token& stop) {
  const bool is_json = media_type == "application/json-patch+json";
  const bool is_strategic = media_type == "application/strategic-merge-patch+json";
  if (!is_json && !is_strategic && media_type != "application/merge-patch+json") {
    return std::unexpected(unsupported_media_type(kPatchTypes));
  }
  // Custom types have no merge keys, so they do not support strategic merge patches.
  if (is_strategic && type.custom) {
    return std::unexpected(
        unsupported_media_type("application/json-patch+json, application/merge-patch+json"));
  }
  const std::optional<Json> parsed = parse_json(body);
  if (!parsed || (is_json ? !parsed->is_array() : !parsed->is_object())) {
    return std::unexpected(bad_request("error decoding patch: the body is not a patch"));
  }
  if (is_json && parsed->size() > limits::kPatchOperations) {
    return std::unexpected(too_large_patch(parsed->size(), limits::kPatchOperations));
  }
  return [patch = *parsed, is_json, is_strategic, stop](const Json& current) -> ApiResult<Json> {
    if (is_json) {
      auto patched = apply_json_patch(current, patch, stop);
      if (stop.stop_requested()) return std::unexpected(server_error(503));
      if (patched) return std::move(*patched);
      log::verbose(2, "sandbox: rejecting a JSON patch: {}", patched.error());
      return std::unexpected(unprocessable_patch());
    }
    Json result = current;
    is_strategic ? apply_strategic_patch(result, patch, stop) : apply_merge_patch(result, patch);
    if (stop.stop_requested()) return std::unexpected(server_error(503));
    if (is_outdated(patch, current)) {
      ApiStatus status = bad_request("");
      status.code = 409;
      status.reason = "Conflict";
      status.message =
          "the object has been modified; please apply your changes to the latest version and try "
          "again";
      return std::unexpected(std::move(status));
    }
    return result;
  };
}

}  // namespace kinf::sandbox
