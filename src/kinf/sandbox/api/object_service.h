// SPDX-License-Identifier: Apache-2.0
// ObjectService: creates, changes and deletes objects in the store as an API server does. Sets
// names, uids, times and generations, and separates writes of the spec and the status.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "kinf/base/clock.h"
#include "kinf/base/random.h"
#include "kinf/base/sync.h"
#include "kinf/sandbox/api/api_errors.h"
#include "kinf/sandbox/api/api_types.h"
#include "kinf/sandbox/api/managed_fields.h"
#include "kinf/sandbox/api/patch.h"
#include "kinf/sandbox/store/resource_store.h"

namespace kinf::sandbox {

/// What happens to the dependents of a deleted object.
enum class Propagation { unset, background, foreground, orphan };

struct DeleteOptions {
  std::optional<std::int64_t> grace_seconds;  ///< empty means the object's own grace period
  std::string uid;                            ///< the required uid; empty means any
  std::string resource_version;               ///< the required resourceVersion; empty means any
  bool dry_run = false;
  Propagation propagation = Propagation::unset;  ///< used only with a garbage collector
};

struct Deletion {
  StoredPtr object;
  bool gone = false;  ///< false: the object exists until its grace period or finalizers end
};

/// The part of an object that a write changes.
enum class Part {
  whole,       ///< everything except the status, if the type has a status subresource
  status,      ///< only the status
  everything,  ///< the object and its status; not available to clients
};

/// Returns a UID of version 4.
std::string random_uid(Random& random);

/// Threads: all functions may be called from any thread.
class ObjectService {
 public:
  ObjectService(ResourceStore& store, ApiTypes& types, Clock& clock, std::uint64_t seed)
      : store_(store), types_(types), clock_(clock), seed_(seed), random_(seed) {}

  /// Tells this object that controllers delete dependents and the contents of namespaces. Then a
  /// deleted namespace exists until it is empty, and an owner that is deleted with the policy
  /// Foreground or Orphan exists until its dependents were handled. Without this call, namespaces
  /// are emptied at once, and dependents stay. Call before other threads use this object.
  void expect_garbage_collector() { has_collector_ = true; }

  /// Reseeds the random generator, so that uids and generated names differ from those of earlier
  /// runs.
  void reseed(std::uint64_t version);

  ApiResult<StoredPtr> get(const ApiType& type, const ObjectKey& key) const;

  /// Creates an object for a client. Sets its initial status. Fails if the namespace does not
  /// exist. This function, replace() and modify() record `by` in metadata.managedFields as the
  /// manager of the fields that they write, unless `by` has no name.
  ApiResult<StoredPtr> create(const ApiType& type, const std::string& ns, Json object, bool dry_run,
                              FieldManager by = {});
  /// Stores an object and keeps its status and creationTimestamp.
  ApiResult<StoredPtr> load(Json object);

  /// Replaces a part of an object. Fails with 409 if `object` has a uid or resourceVersion that
  /// differs from the stored object's.
  ApiResult<StoredPtr> replace(const ApiType& type, const ObjectKey& key, Part part, Json object,
                               bool dry_run, const FieldManager& by = {});

  /// Applies `edit` to the stored object. If another write interferes, tries up to five times, then
  /// fails with 409.
  ApiResult<StoredPtr> modify(const ApiType& type, const ObjectKey& key, Part part,
                              const ObjectEdit& edit, bool dry_run, const FieldManager& by = {});

  /// Deletes an object for a client. Respects its grace period and finalizers.
  ApiResult<Deletion> remove(const ApiType& type, const ObjectKey& key,
                             const DeleteOptions& options);
  /// Sets the grace period of an object that is being deleted to 0. Unlike remove(), never removes
  /// the object. Fails with 409 if another write interferes.
  ApiResult<Deletion> end_grace(const ApiType& type, const ObjectKey& key);
  /// Removes the object and its contents immediately, ignoring its grace period and finalizers.
  void erase(const ApiType& type, const ObjectKey& key);

  /// Returns the time in the form of metadata.creationTimestamp.
  std::string timestamp(std::int64_t seconds_from_now = 0) const;

 private:
  /// Returns the error for a write that the store has refused, either because another write was
  /// first or because the change cannot be saved.
  ApiStatus refused_write(const ApiType& type, const std::string& name) const;
  std::string new_uid();
  std::string name_suffix();
  std::optional<ApiStatus> assign_name(const ApiType& type, Json& metadata);
  std::optional<ApiStatus> assign_namespace(const ApiType& type, const std::string& ns,
                                            Json& metadata) const;
  ApiResult<StoredPtr> insert(const ApiType& type, Json object, bool dry_run);
  ApiResult<StoredPtr> write(const ApiType& type, const StoredPtr& current, Part part, Json object,
                             bool dry_run, const FieldManager& by);
  ApiResult<Deletion> mark_deleted(const ApiType& type, const StoredPtr& current,
                                   std::int64_t grace, const Json& finalizers, bool dry_run);
  void remove_contents(const ApiType& type, const Json& object);
  Json new_finalizers(const ApiType& type, const Json& object, Propagation propagation) const;

  ResourceStore& store_;
  ApiTypes& types_;
  Clock& clock_;
  const std::uint64_t seed_;
  bool has_collector_ = false;
  Mutex mu_;
  Random random_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf::sandbox
