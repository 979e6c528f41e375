// SPDX-License-Identifier: Apache-2.0
#include "conformance/compact_object.h"

#include <algorithm>

namespace kinf::conformance {
namespace {

/// An Object with the facts in `document`.
ObjectPtr object_of_document(const Json& document) {
  const Json& metadata = document.at("metadata");
  const auto text = [](const Json& object, const char* key) -> std::string_view {
    const auto found = object.find(key);
    return found == object.end() ? std::string_view()
                                 : std::string_view(found->get_ref<const std::string&>());
  };
  const std::string json = document.dump();
  ObjectFacts facts;
  facts.api_version = text(document, "apiVersion");
  facts.kind = text(document, "kind");
  facts.ns = text(metadata, "namespace");
  facts.name = text(metadata, "name");
  facts.uid = text(metadata, "uid");
  facts.resource_version = text(metadata, "resourceVersion");
  if (const auto labels = metadata.find("labels"); labels != metadata.end()) {
    for (const auto& item : labels->items()) {
      facts.labels.emplace_back(item.key(), item.value().get_ref<const std::string&>());
    }
  }
  facts.json = json;
  return Object::create(facts);
}

Json document_of(const Object& object) {
  Scratch scratch;
  return Json::parse(object.json(scratch));
}

}  // namespace

ObjectPtr object_from(const Json& compact) {
  Fields fields(&compact, "object");
  Json document = {{"apiVersion", "v1"}, {"kind", fields.text_or("kind", "Pod")}};
  Json& metadata = document["metadata"];
  metadata["name"] = fields.text("name");
  if (const Json* ns = fields.find("ns")) metadata["namespace"] = *ns;
  if (const Json* rv = fields.find("rv")) metadata["resourceVersion"] = *rv;
  if (const Json* uid = fields.find("uid")) metadata["uid"] = *uid;
  if (const Json* labels = fields.find("labels")) metadata["labels"] = *labels;
  if (const Json* groups = fields.find("groups")) metadata["annotations"]["groups"] = *groups;
  if (const Json* node = fields.find("node")) document["spec"]["nodeName"] = *node;
  fields.expect_all_read();
  return object_of_document(document);
}

std::vector<ObjectPtr> objects_from(const Json& array) {
  std::vector<ObjectPtr> objects;
  if (array.is_null()) return objects;
  for (const Json& compact : array) objects.push_back(object_from(compact));
  return objects;
}

Json ref_of(const ObjectPtr& object) {
  if (!object) return nullptr;
  return object->key() + "@" + std::string(object->resource_version());
}

Json refs_of(const std::vector<ObjectPtr>& objects) {
  Json refs = Json::array();
  for (const ObjectPtr& object : objects) refs.push_back(ref_of(object));
  return refs;
}

Json sorted_refs_of(const std::vector<ObjectPtr>& objects) {
  Json refs = refs_of(objects);
  std::sort(refs.begin(), refs.end());
  return refs;
}

ObjectPtr with_resource_version(const Object& object, std::string_view resource_version) {
  Json document = document_of(object);
  document["metadata"]["resourceVersion"] = resource_version;
  return object_of_document(document);
}

std::string annotation_of(const Object& object, std::string_view name) {
  const Json document = document_of(object);
  const Json& metadata = document.at("metadata");
  const auto annotations = metadata.find("annotations");
  if (annotations == metadata.end()) return "";
  const auto found = annotations->find(std::string(name));
  return found == annotations->end() ? "" : found->get<std::string>();
}

}  // namespace kinf::conformance
