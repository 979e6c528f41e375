// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/object_filter.h"

#include <algorithm>

namespace kinf::sandbox {
namespace {

bool is_selectable(const ApiType& type, const std::string& field) {
  if (field == "metadata.name") return true;
  if (field == "metadata.namespace") return type.namespaced;
  return std::find(type.selectable_fields.begin(), type.selectable_fields.end(), field) !=
         type.selectable_fields.end();
}

/// Returns the value of a field in the form that selectors compare.
std::string value_at(const Json& object, std::string_view path) {
  const Json& value = at_path(object, path);
  return value.is_boolean() || value.is_number() ? value.dump() : text(value);
}

/// Like value_at(), for fields with a default and fields whose path differs from their name.
std::string selectable_value(const Json& object, std::string_view name) {
  const std::string value = value_at(object, name);
  const std::string kind = text(field(object, "kind"));
  if (kind == "Pod" && name == "spec.hostNetwork" && value.empty()) return "false";
  if (kind == "Node" && name == "spec.unschedulable" && value.empty()) return "false";
  if (kind == "Event" && name == "source") return value_at(object, "source.component");
  if (kind == "Event" && name == "reportingComponent" && value.empty()) {
    return value_at(object, "source.component");
  }
  if (kind == "Job" && name == "status.successful") {
    const std::string succeeded = value_at(object, "status.succeeded");
    return succeeded.empty() ? "0" : succeeded;
  }
  if (name == "status.replicas" && value.empty()) return "0";
  return value;
}

}  // namespace

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
  return ObjectFilter(ns, std::move(*labels), std::move(*fields));
}

bool ObjectFilter::matches(const StoredObject& object) const {
  if (!ns_.empty() && object.key.ns != ns_) return false;
  if (!labels_.empty()) {
    const Json& labels = field(object.json, "metadata", "labels");
    const bool match = labels_.matches([&](std::string_view key) {
      const Json& value = field(labels, key);
      return value.is_string()
                 ? std::optional<std::string_view>(value.get_ref<const std::string&>())
                 : std::nullopt;
    });
    if (!match) return false;
  }
  return fields_.empty() || fields_.matches([&](std::string_view name) {
    return selectable_value(object.json, name);
  });
}

}  // namespace kinf::sandbox
