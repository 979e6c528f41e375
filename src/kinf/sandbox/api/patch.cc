// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/patch.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "kinf/base/limits.h"
#include "kinf/base/log.h"

namespace kinf::sandbox {
namespace {

constexpr const char* kPatchTypes =
    "application/json-patch+json, application/merge-patch+json, "
    "application/strategic-merge-patch+json";

/// Returns true if `object` has one of the members.
bool is_of(const Json& object, std::initializer_list<const char*> members) {
  return std::any_of(members.begin(), members.end(),
                     [&](const char* member) { return object.contains(member); });
}

/// Returns the member that identifies the elements of a list (patchMergeKey), or an empty string if
/// a patch replaces the list. `around` is the object that contains the list.
std::string_view merge_key(std::string_view list, const Json& elements, const Json& around) {
  static const std::map<std::string_view, std::string_view> kKeys = {
      {"containers", "name"},
      {"initContainers", "name"},
      {"ephemeralContainers", "name"},
      {"env", "name"},
      {"volumes", "name"},
      {"volumeMounts", "mountPath"},
      {"volumeDevices", "devicePath"},
      {"imagePullSecrets", "name"},
      {"conditions", "type"},
      {"ownerReferences", "uid"},
      {"hostAliases", "ip"},
      {"podIPs", "ip"},
      {"hostIPs", "ip"},
      {"addresses", "type"},
      {"secrets", "name"},
      {"topologySpreadConstraints", "topologyKey"},
      {"resourceClaims", "name"},
      {"resourceClaimStatuses", "name"},
      {"schedulingGates", "name"},
  };
  const auto have = [&](std::string_view key) {
    return std::any_of(elements.begin(), elements.end(), [&](const Json& element) {
      return element.is_object() && element.contains(std::string(key));
    });
  };
  if (list == "ports") {
    if (have("containerPort")) return "containerPort";
    // Ports of endpoints and network policies have no merge key.
    return have("port") && !is_of(around, {"addresses", "from", "to", "addressType"}) ? "port" : "";
  }
  // Addresses of endpoints have no type and thus no merge key.
  if (list == "addresses" && !have("type")) return "";
  const auto found = kKeys.find(list);
  return found == kKeys.end() ? std::string_view() : found->second;
}

bool is_set(std::string_view list) { return list == "finalizers"; }

Json without_directives(const Json& patch) {
  Json result = patch;
  if (result.is_object()) {
    for (auto it = result.begin(); it != result.end();) {
      it = it.key().starts_with('$') || it.value().is_null() ? result.erase(it) : std::next(it);
    }
    for (auto& [key, value] : result.items()) value = without_directives(value);
  } else if (result.is_array()) {
    for (Json& value : result) value = without_directives(value);
  }
  return result;
}

void merge_list(Json& target, const Json& patch, std::string_view key) {
  const bool replace = std::any_of(patch.begin(), patch.end(), [](const Json& element) {
    return field(element, "$patch") == Json("replace");
  });
  if (!target.is_array() || replace) target = Json::array();
  for (const Json& element : patch) {
    const Json& id = field(element, key);
    const auto found = std::find_if(target.begin(), target.end(), [&](const Json& existing) {
      return !id.is_null() && field(existing, key) == id;
    });
    if (field(element, "$patch") == Json("delete")) {
      if (found != target.end()) target.erase(found);
    } else if (field(element, "$patch") == Json("replace")) {
      continue;
    } else if (found != target.end()) {
      apply_strategic_patch(*found, element);
    } else {
      target.push_back(without_directives(element));
    }
  }
}

void merge_set(Json& target, const Json& patch) {
  if (!target.is_array()) target = Json::array();
  for (const Json& element : patch) {
    if (std::find(target.begin(), target.end(), element) == target.end()) {
      target.push_back(element);
    }
  }
}

void delete_from_list(Json& target, const Json& elements) {
  if (!target.is_array() || !elements.is_array()) return;
  for (const Json& element : elements) {
    const auto kept = std::remove(target.begin(), target.end(), element);
    target.erase(kept, target.end());
  }
}

/// Applies `$setElementOrder`: sorts the elements in `order` first, in that order.
void reorder_list(Json& target, const Json& order, std::string_view key) {
  if (!target.is_array() || !order.is_array()) return;
  const auto rank = [&](const Json& element) {
    const Json& id = key.empty() ? element : field(element, key);
    const auto found = std::find_if(order.begin(), order.end(), [&](const Json& o) {
      return (key.empty() ? o : field(o, key)) == id;
    });
    return found - order.begin();
  };
  std::stable_sort(target.begin(), target.end(),
                   [&](const Json& a, const Json& b) { return rank(a) < rank(b); });
}

void apply_directive(Json& target, const std::string& directive, const Json& value) {
  constexpr std::string_view kDelete = "$deleteFromPrimitiveList/";
  constexpr std::string_view kOrder = "$setElementOrder/";
  if (directive.starts_with(kDelete)) {
    const auto list = target.find(directive.substr(kDelete.size()));
    if (list != target.end()) delete_from_list(*list, value);
  } else if (directive.starts_with(kOrder)) {
    const std::string name = directive.substr(kOrder.size());
    const auto list = target.find(name);
    if (list != target.end()) reorder_list(*list, value, merge_key(name, *list, target));
  } else if (directive == "$retainKeys" && value.is_array()) {
    for (auto it = target.begin(); it != target.end();) {
      const bool keep = std::find(value.begin(), value.end(), Json(it.key())) != value.end();
      it = keep ? std::next(it) : target.erase(it);
    }
  }
}

}  // namespace

void apply_merge_patch(Json& target, const Json& patch) {
  if (!patch.is_object()) {
    target = patch;
    return;
  }
  if (!target.is_object()) target = Json::object();
  for (const auto& [key, value] : patch.items()) {
    if (value.is_null()) {
      target.erase(key);
    } else {
      apply_merge_patch(target[key], value);
    }
  }
}

void apply_strategic_patch(Json& target, const Json& patch) {
  if (!patch.is_object()) {
    target = patch;
    return;
  }
  if (!target.is_object() || field(patch, "$patch") == Json("replace")) {
    target = without_directives(patch);
    return;
  }
  for (const auto& [key, value] : patch.items()) {
    if (key.starts_with('$')) continue;
    if (value.is_null() || field(value, "$patch") == Json("delete")) {
      target.erase(key);
    } else if (value.is_array() && !merge_key(key, value, target).empty()) {
      merge_list(target[key], value, merge_key(key, value, target));
    } else if (value.is_array() && is_set(key)) {
      merge_set(target[key], value);
    } else if (value.is_object()) {
      apply_strategic_patch(target[key], value);
    } else {
      target[key] = value;
    }
  }
  for (const auto& [key, value] : patch.items()) {
    if (key.starts_with('$')) apply_directive(target, key, value);
  }
}

std::expected<Json, std::string> apply_json_patch(const Json& target, const Json& patch) {
  // Repeated copies grow the document exponentially, so check its size after each copy.
  constexpr std::size_t kMaxSize = 3 << 20;
  if (!patch.is_array()) return std::unexpected("a JSON patch must be a list of operations");
  Json result = target;
  for (const Json& operation : patch) {
    try {
      result.patch_inplace(Json::array({operation}));
    } catch (const Json::exception& failure) {
      return std::unexpected(failure.what());
    }
    if (field(operation, "op") == Json("copy") && to_text(result).size() > kMaxSize) {
      return std::unexpected("the document gets too large");
    }
  }
  if (!result.is_object()) return std::unexpected("the result is not an object");
  return result;
}

ApiResult<ObjectEdit> parse_patch(const ApiType& type, const std::string& media_type,
                                  const std::string& body) {
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
  return [patch = *parsed, is_json, is_strategic](const Json& current) -> ApiResult<Json> {
    if (is_json) {
      auto patched = apply_json_patch(current, patch);
      if (patched) return std::move(*patched);
      log::verbose(2, "sandbox: rejecting a JSON patch: {}", patched.error());
      return std::unexpected(unprocessable_patch());
    }
    Json result = current;
    is_strategic ? apply_strategic_patch(result, patch) : apply_merge_patch(result, patch);
    const std::string base = text(field(patch, "metadata", "resourceVersion"));
    if (!base.empty() && base != text(field(current, "metadata", "resourceVersion"))) {
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
