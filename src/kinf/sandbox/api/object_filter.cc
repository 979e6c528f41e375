// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/object_filter.h"

#include <algorithm>

namespace kinf::sandbox {
namespace {

bool is_selectable(const ApiType& type, const std::string& field) {
  if (field == "metadata.name") return true;
  if (field == "metadata.namespace") return type.namespaced;
  return std::ranges::count(type.selectable_fields, field) > 0;
}

/// Returns the value of a field in the form that selectors compare.
std::string value_at(const Json& object, std::string_view path) {
  const Json& value = at_path(object, path);
  return value.is_boolean() || value.is_number() ? value.dump() : text(value);
}

/// Like value_at(), but also handles built-in fields that have a default or a path that differs
/// from their name.
std::string selectable_value(const BuiltInType* type, const Json& object, std::string_view name) {
  std::string value = value_at(object, name);
  if (type == nullptr || !value.empty()) return value;
  for (const SelectableField& each : type->selectable_fields) {
    if (each.path != name) continue;
    if (!each.instead.empty()) value = value_at(object, each.instead);
    return value.empty() ? std::string(each.otherwise) : value;
  }
  return value;
}

}  // namespace

bool selects(const LabelSelector& selector, const Json& object) {
  const Json& labels = field(object, "metadata", "labels");
  return selector.matches([&](std::string_view key) -> std::optional<std::string_view> {
    const Json& value = field(labels, key);
    if (!value.is_string()) return std::nullopt;
    return std::string_view(value.get_ref<const std::string&>());
  });
}

ApiResult<ObjectFilter> ObjectFilter::parse(const ApiType& type, const std::string& ns,
                                            const std::string& label_selector,
                                            const std::string& field_selector) {
  auto labels = LabelSelector::parse(label_selector);
  if (!labels) return std::unexpected(bad_request(labels.error().message));
  auto fields = FieldSelector::parse(field_selector);
  if (!fields) return std::unexpected(bad_request(fields.error().message));
  for (const FieldRequirement& requirement : fields->requirements()) {
    if (is_selectable(type, requirement.field)) continue;
    return std::unexpected(bad_request("field label not supported: " + requirement.field));
  }
  return ObjectFilter(type, ns, std::move(*labels), std::move(*fields));
}

bool ObjectFilter::matches(const StoredObject& object) const {
  if (!ns_.empty() && object.key.ns != ns_) return false;
  if (!labels_.empty() && !sandbox::selects(labels_, object.json)) return false;
  return fields_.empty() || fields_.matches([&](std::string_view name) {
    return selectable_value(type_, object.json, name);
  });
}

}  // namespace kinf::sandbox
