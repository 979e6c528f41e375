// SPDX-License-Identifier: Apache-2.0
// Deletion of objects. An object without finalizers is removed immediately, unless it is a pod on a
// node. An object with finalizers gets a deletionTimestamp and is removed when its last finalizer
// is removed. A pod on a node gets a deletionTimestamp and is removed when the kubelet deletes it
// with a grace period of 0. Deleting a CustomResourceDefinition also deletes its objects. Without a
// garbage collector, a deleted Namespace is emptied here. With a garbage collector, finalizers keep
// owners until the collector has handled their dependents, and deleted Namespaces are emptied by a
// controller.
#include <fmt/format.h>

#include <algorithm>

#include "kinf/sandbox/api/object_deletion.h"
#include "kinf/sandbox/api/object_service.h"

namespace kinf::sandbox {
namespace {

/// Returns the grace period in seconds of a pod that runs on a node. For any other pod, returns 0
/// if the pod is already being deleted, otherwise nullopt. Returns nullopt for objects that are not
/// pods.
std::optional<std::int64_t> grace_time(const ApiType& type, const Json& object,
                                       const DeleteOptions& options) {
  if (!type.has(TypeTrait::runs_on_node)) return std::nullopt;
  const std::string phase = text(field(object, "status", "phase"));
  if (text(field(object, "spec", "nodeName")).empty() || phase == "Succeeded" ||
      phase == "Failed") {
    return is_deleting(object) ? std::optional<std::int64_t>(0) : std::nullopt;
  }
  return options.grace_seconds.value_or(
      integer_or(field(object, "spec", "terminationGracePeriodSeconds"), 30));
}

}  // namespace

bool has_finalizer(const Json& object, std::string_view name) {
  return std::ranges::count(elements(field(object, "metadata", "finalizers")), Json(name)) > 0;
}

void drop_finalizer(Json& object, std::string_view name) {
  drop_items(object, "finalizers", [&](const Json& each) { return each == Json(name); });
}

bool is_outdated(const Json& written, const Json& current) {
  const std::string base = text(field(written, "metadata", "resourceVersion"));
  return !base.empty() && base != text(field(current, "metadata", "resourceVersion"));
}

std::optional<ApiStatus> check_precondition(const ApiType& type, const Json& object,
                                            std::string_view name, std::string_view key,
                                            const std::string& wanted) {
  const std::string actual = text(field(object, "metadata", key));
  if (wanted.empty() || wanted == actual) return std::nullopt;
  return conflict(type.gvr, name_of(object),
                  fmt::format("Precondition failed: {} in precondition: {}, {} in object meta: {}",
                              name, wanted, name, actual));
}

ApiResult<Deletion> ObjectService::mark_deleted(const ApiType& type, const StoredPtr& current,
                                                std::int64_t grace, const Json& finalizers,
                                                bool dry_run) {
  Json object = current->json;
  Json& metadata = object["metadata"];
  if (!finalizers.empty()) metadata["finalizers"] = finalizers;
  if (!is_deleting(object) && metadata.contains("generation")) {
    metadata["generation"] = integer_or(metadata["generation"], 0) + 1;
  }
  if (!is_deleting(object) || grace > 0 ||
      integer_or(field(metadata, "deletionGracePeriodSeconds"), 0) > 0) {
    metadata["deletionTimestamp"] = timestamp(grace);
    metadata["deletionGracePeriodSeconds"] = grace;
  }
  if (type.has(TypeTrait::holds_objects)) object_at(object, "status")["phase"] = "Terminating";
  if (dry_run) return Deletion{current, false};
  StoredPtr stored =
      store_.update(type.storage_key(), current->key, std::move(object), current->version);
  if (stored == nullptr) {
    return std::unexpected(refused_write(type, current->key.name));
  }
  return Deletion{std::move(stored), false};
}

ApiResult<Deletion> ObjectService::remove(const ApiType& type, const ObjectKey& key,
                                          const DeleteOptions& options) {
  for (int attempt = 0;; ++attempt) {
    StoredPtr current = store_.get(type.storage_key(), key);
    if (current == nullptr) return std::unexpected(not_found(type.gvr, key.name));
    auto problem = check_precondition(type, current->json, "UID", "uid", options.uid);
    if (!problem) {
      problem = check_precondition(type, current->json, "ResourceVersion", "resourceVersion",
                                   options.resource_version);
    }
    if (problem) return std::unexpected(std::move(*problem));
    const std::optional<std::int64_t> grace = grace_time(type, current->json, options);
    const bool has_contents = type.has(TypeTrait::holds_objects);
    const Json finalizers = new_finalizers(type, current->json, options.propagation);
    const bool is_held =
        !finalizers.empty() || grace.value_or(0) > 0 || (has_contents && has_collector_);
    const bool is_same = finalizers == elements(field(current->json, "metadata", "finalizers"));
    if (is_deleting(current->json) && is_held && is_same) {
      // The object is already being deleted. Only a shorter grace period has an effect.
      const std::int64_t left =
          integer_or(field(current->json, "metadata", "deletionGracePeriodSeconds"), 0);
      if (grace.value_or(0) >= left) return Deletion{current, false};
    }
    if (is_held || grace.has_value() || has_contents) {
      ApiResult<Deletion> marked =
          mark_deleted(type, current, grace.value_or(0), finalizers, options.dry_run);
      if (!marked && marked.error().code == 409 && attempt < 4) continue;
      if (!marked || is_held || options.dry_run) return marked;
      current = marked->object;
    }
    if (options.dry_run) return Deletion{current, true};
    remove_contents(type, current->json);
    StoredPtr gone = store_.remove(type.storage_key(), key, current->json, current->version);
    if (gone != nullptr) return Deletion{std::move(gone), true};
    if (type.has(TypeTrait::defines_types)) types_.add_custom(current->json);
    if (attempt == 4 || !store_.saves()) return std::unexpected(refused_write(type, key.name));
  }
}

ApiResult<Deletion> ObjectService::end_grace(const ApiType& type, const ObjectKey& key) {
  const StoredPtr current = store_.get(type.storage_key(), key);
  if (current == nullptr) return std::unexpected(not_found(type.gvr, key.name));
  if (!is_deleting(current->json)) return Deletion{current, false};
  const Json finalizers = elements(field(current->json, "metadata", "finalizers"));
  return mark_deleted(type, current, 0, finalizers, false);
}

/// Returns the finalizers of an object whose deletion is requested.
/// Source: apiserver pkg/registry/generic/registry/store.go.
Json ObjectService::new_finalizers(const ApiType& type, const Json& object,
                                   Propagation propagation) const {
  Json finalizers = elements(field(object, "metadata", "finalizers"));
  if (!has_collector_) return finalizers;
  // Old clients expect that the dependents of these types stay.
  if (propagation == Propagation::unset && type.has(TypeTrait::keeps_dependents)) {
    propagation = Propagation::orphan;
  }
  const auto set = [&](const char* name, bool wanted) {
    const auto found = std::ranges::find(finalizers, Json(name));
    if (wanted && found == finalizers.end()) finalizers.push_back(name);
    if (!wanted && found != finalizers.end()) finalizers.erase(found);
  };
  if (propagation == Propagation::unset) return finalizers;
  set(kOrphanFinalizer, propagation == Propagation::orphan);
  set(kForegroundFinalizer, propagation == Propagation::foreground);
  return finalizers;
}

void ObjectService::erase(const ApiType& type, const ObjectKey& key) {
  while (const StoredPtr current = store_.get(type.storage_key(), key)) {
    remove_contents(type, current->json);
    if (store_.remove(type.storage_key(), key, current->json, current->version) ||
        !store_.saves()) {
      return;
    }
  }
}

void ObjectService::remove_contents(const ApiType& type, const Json& object) {
  if (type.has(TypeTrait::holds_objects)) {
    const std::string name = name_of(object);
    for (const ApiTypePtr& each : types_.all()) {
      if (!each->namespaced) continue;
      for (const StoredPtr& content : store_.list(each->storage_key()).objects) {
        if (content->key.ns == name) erase(*each, content->key);
      }
    }
  } else if (type.has(TypeTrait::defines_types)) {
    for (const ApiType& each : custom_types(object)) {
      for (const StoredPtr& content : store_.list(each.storage_key()).objects) {
        erase(each, content->key);
      }
    }
    types_.remove_custom(object);
    store_.request_bookmarks();
  }
}

}  // namespace kinf::sandbox
