// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/scenarios/manifests.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "kinf/base/yaml_document.h"
#include "kinf/kubernetes/manifest_files.h"

namespace kinf::sandbox {
namespace {

Result<void> add_documents(const std::string& file, std::vector<Manifest>& into) {
  const Result<std::string> content = read_manifest_file(file);
  if (!content) return std::unexpected(content.error());
  Result<std::vector<Json>> documents = parse_documents(*content, file.ends_with(".json"));
  if (!documents) return std::unexpected(std::move(documents).error().within(file));
  for (std::size_t number = 0; Json & document : *documents) {
    const std::string origin = fmt::format("{}: document {}", file, ++number);
    if (document.is_null()) continue;
    const bool is_whole_list = is_list(document);
    const Json items = is_whole_list ? field(document, "items") : Json::array({document});
    for (std::size_t item_number = 0; const Json& item : items) {
      ++item_number;
      Manifest manifest{item, origin};
      if (is_whole_list) {
        manifest = {list_item(document, item), fmt::format("{}: item {}", origin, item_number)};
      }
      if (const Result<void> checked = check_manifest(manifest.object); !checked) {
        return std::unexpected(checked.error().within(manifest.origin));
      }
      into.push_back(std::move(manifest));
    }
  }
  return {};
}

/// Returns the position of the manifest's kind in the load order.
int load_order(const Manifest& manifest) {
  const BuiltInType* type = find_built_in_kind(text(field(manifest.object, "apiVersion")),
                                               text(field(manifest.object, "kind")));
  if (type == nullptr) return 2;
  return type->has(TypeTrait::defines_types) ? 0 : type->has(TypeTrait::holds_objects) ? 1 : 2;
}

Result<void> check_text(const std::string& name, const Json& value) {
  if (value.is_null() || value.is_string()) return {};
  return fail(ErrorKind::usage, fmt::format("metadata.{} is {}, not a string; put it in quotes",
                                            name, to_text(value)));
}

}  // namespace

void ensure_namespace(ObjectService& objects, const ApiTypes& types, const std::string& name) {
  if (objects.get(*types.find("", "v1", "namespaces"), {"", name})) return;
  (void)objects.load({{"kind", "Namespace"}, {"apiVersion", "v1"}, {"metadata", {{"name", name}}}});
}

std::string namespace_of(const ApiType& type, const Json& object) {
  if (!type.namespaced) return "";
  const std::string named = text(field(object, "metadata", "namespace"));
  return named.empty() ? "default" : named;
}

Result<void> check_manifest(const Json& object) {
  const bool says = object.is_object() && !text(field(object, "apiVersion")).empty() &&
                    !text(field(object, "kind")).empty() && !name_of(object).empty();
  if (!says) {
    return fail(ErrorKind::usage, "not an object: apiVersion, kind and metadata.name are required");
  }
  const Json& metadata = object["metadata"];
  if (const Result<void> ns = check_text("namespace", field(metadata, "namespace")); !ns) return ns;
  for (const char* map : {"labels", "annotations"}) {
    const Json& entries = field(metadata, map);
    if (!entries.is_object() && !entries.is_null()) {
      return fail(ErrorKind::usage, fmt::format("metadata.{} is not a map", map));
    }
    for (const auto& [key, value] : entries.items()) {
      if (const Result<void> entry = check_text(fmt::format("{}.{}", map, key), value); !entry) {
        return entry;
      }
    }
  }
  return {};
}

Result<std::vector<Json>> parse_documents(std::string_view text, bool is_json) {
  std::vector<Json> result;
  if (is_json) {
    std::optional<Json> document = parse_json(text);
    if (document) {
      result.push_back(std::move(*document));
      return result;
    }
    return fail(ErrorKind::usage, json_problem(text));
  }
  Result<std::vector<nlohmann::json>> documents = parse_yaml_documents(text);
  if (!documents) return std::unexpected(std::move(documents).error());
  for (const nlohmann::json& document : *documents) result.emplace_back(document);
  return result;
}

Result<std::vector<Manifest>> read_manifests(const std::vector<std::string>& paths) {
  std::vector<Manifest> manifests;
  for (const std::string& path : paths) {
    const Result<std::vector<std::string>> files = manifest_files(path);
    if (!files) return std::unexpected(files.error());
    for (const std::string& file : *files) {
      if (const Result<void> added = add_documents(file, manifests); !added) {
        return std::unexpected(added.error());
      }
    }
  }
  return manifests;
}

Result<void> load_manifests(std::vector<Manifest> manifests, bool keep, ObjectService& objects,
                            const ApiTypes& types) {
  std::ranges::stable_sort(manifests, {}, load_order);
  std::set<std::string> namespaces;
  for (Manifest& manifest : manifests) {
    const ApiTypePtr type = types.find_for(manifest.object);
    if (type == nullptr) {
      return fail(ErrorKind::usage,
                  fmt::format("{}: unknown kind {} in {}; load its "
                              "CustomResourceDefinition too",
                              manifest.origin, text(field(manifest.object, "kind")),
                              text(field(manifest.object, "apiVersion"))));
    }
    const std::string ns = namespace_of(*type, manifest.object);
    if (!ns.empty() && namespaces.insert(ns).second) {
      ensure_namespace(objects, types, ns);
    }
    const ApiResult<StoredPtr> stored = objects.load(std::move(manifest.object));
    const bool may_be_there = keep || type->has(TypeTrait::holds_objects);
    if (stored || (may_be_there && stored.error().code == 409)) continue;
    return fail(ErrorKind::usage, manifest.origin + ": " + stored.error().message);
  }
  return {};
}

}  // namespace kinf::sandbox
