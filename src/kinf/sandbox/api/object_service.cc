// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/object_service.h"

#include <fmt/format.h>

#include <utility>

#include "kinf/base/timestamp.h"
#include "kinf/sandbox/api/object_defaults.h"
#include "kinf/sandbox/api/object_deletion.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {
namespace {

const GroupVersionResource kNamespaces{"", "v1", "namespaces"};

void order_metadata(Json& metadata) {
  move_to_front(metadata, {"name", "generateName", "namespace", "uid", "resourceVersion",
                           "generation", "creationTimestamp"});
}

/// Restores the metadata members that only the server may change.
void keep_system_metadata(Json& metadata, const Json& before) {
  for (const char* key : {"uid", "creationTimestamp", "generation", "deletionTimestamp",
                          "deletionGracePeriodSeconds", "namespace", "name"}) {
    metadata.erase(key);
    if (before.contains(key)) metadata[key] = before[key];
  }
  order_metadata(metadata);
}

std::optional<ApiStatus> check_type(const ApiType& type, const Json& object) {
  const std::string version = text(field(object, "apiVersion"));
  const std::string kind = text(field(object, "kind"));
  if (!version.empty() && version != type.api_version()) {
    return bad_request(
        fmt::format("the API version in the data ({}) does not match the expected API version ({})",
                    version, type.api_version()));
  }
  if (!kind.empty() && kind != type.kind) {
    return bad_request(fmt::format(
        "the kind in the data ({}) does not match the expected kind ({})", kind, type.kind));
  }
  return std::nullopt;
}

/// Returns whether the spec has changed in a way that increases the generation. Ignores the node of
/// a pod, because binding a pod to a node does not increase its generation.
bool asks_for_more(const ApiType& type, const Json& object, const Json& before) {
  const auto wish = [&](const Json& each) {
    Json spec = field(each, "spec");
    if (type.has(TypeTrait::runs_on_node) && spec.is_object()) spec.erase("nodeName");
    return spec;
  };
  return wish(object) != wish(before);
}

}  // namespace

void ObjectService::reseed(std::uint64_t version) {
  MutexLock lock(mu_);
  random_ = Random(seed_ ^ Random(version).next());
}

ApiResult<StoredPtr> ObjectService::get(const ApiType& type, const ObjectKey& key) const {
  StoredPtr stored = store_.get(type.storage_key(), key);
  if (stored == nullptr) return std::unexpected(not_found(type.gvr, key.name));
  return stored;
}

ApiStatus ObjectService::refused_write(const ApiType& type, const std::string& name) const {
  return store_.saves() ? modified_meanwhile(type.gvr, name) : insufficient_storage();
}

std::string random_uid(Random& random) {
  const std::uint64_t high = random.next();
  const std::uint64_t low = random.next();
  return fmt::format("{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}", high >> 32, (high >> 16) & 0xffff,
                     high & 0xfff, 0x8000 | (low >> 50), low & 0xffffffffffffULL);
}

std::string ObjectService::new_uid() {
  MutexLock lock(mu_);
  return random_uid(random_);
}

std::string ObjectService::name_suffix() {
  constexpr std::string_view kAlphabet = "bcdfghjklmnpqrstvwxz2456789";
  MutexLock lock(mu_);
  std::string suffix;
  for (int i = 0; i < 5; ++i) suffix += kAlphabet[random_.next() % kAlphabet.size()];
  return suffix;
}

std::string ObjectService::timestamp(std::int64_t seconds_from_now) const {
  const auto time = std::chrono::floor<std::chrono::seconds>(clock_.wall()) +
                    std::chrono::seconds(seconds_from_now);
  return timestamp_text(time);
}

std::optional<ApiStatus> ObjectService::assign_name(const ApiType& type, Json& metadata) {
  if (!metadata.is_object()) metadata = Json::object();
  std::string name = text(field(metadata, "name"));
  const std::string prefix = text(field(metadata, "generateName"));
  if (name.empty() && !prefix.empty()) name = prefix.substr(0, 58) + name_suffix();
  const std::string problem = name.empty() ? "" : name_problem(type, name);
  if (name.empty()) {
    return invalid(type.gvr.group, type.kind, "",
                   {{"FieldValueRequired", "Required value: name or generateName is required",
                     "metadata.name"}});
  }
  if (!problem.empty()) {
    return invalid(type.gvr.group, type.kind, name,
                   {{"FieldValueInvalid", fmt::format("Invalid value: \"{}\": {}", name, problem),
                     "metadata.name"}});
  }
  metadata["name"] = name;
  return std::nullopt;
}

std::optional<ApiStatus> ObjectService::assign_namespace(const ApiType& type, const std::string& ns,
                                                         Json& metadata) const {
  if (!type.namespaced) {
    metadata.erase("namespace");
    return std::nullopt;
  }
  const std::string own = text(field(metadata, "namespace"));
  if (!own.empty() && own != ns) {
    return bad_request(
        "the namespace of the provided object does not match the namespace sent on the request");
  }
  metadata["namespace"] = ns;
  const StoredPtr home = store_.get(kNamespaces.group_resource(), {"", ns});
  if (home == nullptr) return not_found(kNamespaces, ns);
  if (is_deleting(home->json)) {
    return namespace_terminating(type.gvr, text(field(metadata, "name")), ns);
  }
  return std::nullopt;
}

ApiResult<StoredPtr> ObjectService::insert(const ApiType& type, Json object, bool dry_run) {
  object["apiVersion"] = type.api_version();
  object["kind"] = type.kind;
  move_to_front(object, {"kind", "apiVersion", "metadata"});
  Json& metadata = object["metadata"];
  if (text(field(metadata, "uid")).empty()) metadata["uid"] = new_uid();
  if (counts_generation(type) && !metadata.contains("generation")) metadata["generation"] = 1;
  if (text(field(metadata, "creationTimestamp")).empty()) {
    metadata["creationTimestamp"] = timestamp();
  }
  complete_object(type, object, Json());
  metadata["resourceVersion"] = "";
  order_metadata(metadata);
  const ObjectKey key = key_of(object);
  if (store_.get(type.storage_key(), key) != nullptr) {
    return std::unexpected(already_exists(type.gvr, key.name));
  }
  if (dry_run) {
    metadata.erase("resourceVersion");
    return stored_object(key, 0, std::move(object));
  }
  StoredPtr stored = store_.create(type.storage_key(), key, std::move(object));
  if (stored == nullptr) {
    return std::unexpected(store_.saves() ? already_exists(type.gvr, key.name)
                                          : insufficient_storage());
  }
  if (type.has(TypeTrait::defines_types)) types_.add_custom(stored->json);
  return stored;
}

ApiResult<StoredPtr> ObjectService::create(const ApiType& type, const std::string& ns, Json object,
                                           bool dry_run, FieldManager by) {
  if (!object.is_object()) return std::unexpected(bad_request("the body is not an object"));
  if (auto problem = check_type(type, object)) return std::unexpected(std::move(*problem));
  Json& metadata = object["metadata"];
  if (auto problem = assign_name(type, metadata)) return std::unexpected(std::move(*problem));
  if (auto problem = assign_namespace(type, ns, metadata))
    return std::unexpected(std::move(*problem));
  if (!text(field(metadata, "resourceVersion")).empty()) {
    return std::unexpected(
        bad_request("resourceVersion should not be set on objects to be created"));
  }
  for (const char* key : {"uid", "creationTimestamp", "generation", "deletionTimestamp",
                          "deletionGracePeriodSeconds", "selfLink"}) {
    metadata.erase(key);
  }
  replace_input_members(type, object);
  record_manager(Json::object(), object, by, timestamp());
  default_spec(type, object);
  initial_status(type, object, timestamp());
  return insert(type, std::move(object), dry_run);
}

ApiResult<StoredPtr> ObjectService::load(Json object) {
  const ApiTypePtr type = types_.find_for(object);
  if (type == nullptr) return std::unexpected(no_such_resource());
  Json& metadata = object["metadata"];
  if (auto problem = assign_name(*type, metadata)) return std::unexpected(std::move(*problem));
  if (!type->namespaced) {
    metadata.erase("namespace");
  } else if (text(field(metadata, "namespace")).empty()) {
    metadata["namespace"] = "default";
  }
  replace_input_members(*type, object);
  default_spec(*type, object);
  if (!object.contains("status")) initial_status(*type, object, timestamp());
  return insert(*type, std::move(object), false);
}

ApiResult<StoredPtr> ObjectService::write(const ApiType& type, const StoredPtr& current, Part part,
                                          Json object, bool dry_run, const FieldManager& by) {
  const Json& before = current->json;
  if (part == Part::status) {
    Json status = field(object, "status");
    object = before;
    object["status"] = std::move(status);
  } else {
    keep_system_metadata(object_at(object, "metadata"), before["metadata"]);
    if (type.has_status && part == Part::whole) {
      object.erase("status");
      if (before.contains("status")) object["status"] = before["status"];
    }
    object["kind"] = type.kind;
    object["apiVersion"] = type.api_version();
    replace_input_members(type, object);
    default_spec(type, object);
    complete_object(type, object, before);
    move_to_front(object, {"kind", "apiVersion", "metadata"});
  }
  object["metadata"]["resourceVersion"] = before["metadata"]["resourceVersion"];
  order_metadata(object["metadata"]);
  if (counts_generation(type) && part != Part::status && asks_for_more(type, object, before)) {
    object["metadata"]["generation"] = integer_or(field(before, "metadata", "generation"), 0) + 1;
  }
  if (is_same(object, before)) return current;
  record_manager(before, object, by, timestamp());
  if (dry_run) return stored_object(current->key, current->version, std::move(object));

  const bool is_emptied_later = has_collector_ && type.has(TypeTrait::holds_objects);
  const bool last_finalizer_gone = !is_emptied_later && is_deleting(object) &&
                                   has_finalizers(before) && !has_finalizers(object) &&
                                   field(object, "metadata", "deletionGracePeriodSeconds") == 0;
  StoredPtr stored =
      last_finalizer_gone
          ? store_.remove(type.storage_key(), current->key, std::move(object), current->version)
          : store_.update(type.storage_key(), current->key, std::move(object), current->version);
  if (stored == nullptr) {
    return std::unexpected(refused_write(type, current->key.name));
  }
  if (last_finalizer_gone) remove_contents(type, stored->json);
  if (!last_finalizer_gone && type.has(TypeTrait::defines_types)) types_.add_custom(stored->json);
  return stored;
}

ApiResult<StoredPtr> ObjectService::replace(const ApiType& type, const ObjectKey& key, Part part,
                                            Json object, bool dry_run, const FieldManager& by) {
  if (!object.is_object()) return std::unexpected(bad_request("the body is not an object"));
  if (auto problem = check_type(type, object)) return std::unexpected(std::move(*problem));
  const std::string name = name_of(object);
  if (name != key.name) {
    return std::unexpected(bad_request(fmt::format(
        "the name of the object ({}) does not match the name on the URL ({})", name, key.name)));
  }
  const std::string uid = uid_of(object);
  return modify(
      type, key, part,
      [&](const Json& current) -> ApiResult<Json> {
        if (auto problem = check_precondition(type, current, "UID", "uid", uid)) {
          return std::unexpected(std::move(*problem));
        }
        if (is_outdated(object, current)) {
          return std::unexpected(modified_meanwhile(type.gvr, key.name));
        }
        return object;
      },
      dry_run, by);
}

ApiResult<StoredPtr> ObjectService::modify(const ApiType& type, const ObjectKey& key, Part part,
                                           const ObjectEdit& edit, bool dry_run,
                                           const FieldManager& by) {
  for (int attempt = 0;; ++attempt) {
    const StoredPtr current = store_.get(type.storage_key(), key);
    if (current == nullptr) return std::unexpected(not_found(type.gvr, key.name));
    ApiResult<Json> edited = edit(current->json);
    if (!edited) return std::unexpected(std::move(edited).error());
    ApiResult<StoredPtr> written = write(type, current, part, std::move(*edited), dry_run, by);
    if (written || written.error().code != 409 || attempt == 4) return written;
  }
}

}  // namespace kinf::sandbox
