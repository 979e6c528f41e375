// SPDX-License-Identifier: Apache-2.0
// ObjectService: the logic between requests and the store: names, uids, times, generations, status
// writes, deletion.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "kinf/base/clock.h"
#include "kinf/base/random.h"
#include "kinf/base/sync.h"
#include "kinf/sandbox/api/api_errors.h"
#include "kinf/sandbox/api/api_types.h"
#include "kinf/sandbox/api/patch.h"
#include "kinf/sandbox/store/resource_store.h"

namespace kinf::sandbox {

struct DeleteOptions {
  std::optional<std::int64_t> grace_seconds;
  std::string uid;               ///< precondition; empty: none
  std::string resource_version;  ///< precondition; empty: none
  bool dry_run = false;
};

struct Deletion {
  StoredPtr object;
  bool gone = false;  ///< false: waits for its grace period or finalizers
};

/// The part of an object that a write changes.
enum class Part {
  whole,       ///< all but the status, if the type has a status subresource
  status,      ///< only the status
  everything,  ///< the object and its status; not for clients
};

/// Threads: every call from any thread.
class ObjectService {
 public:
  ObjectService(ResourceStore& store, ApiTypes& types, Clock& clock, std::uint64_t seed)
      : store_(store), types_(types), clock_(clock), seed_(seed), random_(seed) {}

  /// Makes uids and generated names differ from those of earlier runs.
  void reseed(std::uint64_t version);

  ApiResult<StoredPtr> get(const ApiType& type, const ObjectKey& key) const;

  /// Creates an object for a client. The server sets the status; the namespace must exist.
  ApiResult<StoredPtr> create(const ApiType& type, const std::string& ns, Json object,
                              bool dry_run);
  /// Stores an object as it is, with its status and creation time.
  ApiResult<StoredPtr> load(Json object);

  ApiResult<StoredPtr> replace(const ApiType& type, const ObjectKey& key, Part part, Json object,
                               bool dry_run);

  /// Applies `edit` to the stored object. Tries up to five times if it changes concurrently, then
  /// 409.
  ApiResult<StoredPtr> modify(const ApiType& type, const ObjectKey& key, Part part,
                              const ObjectEdit& edit, bool dry_run);

  ApiResult<Deletion> remove(const ApiType& type, const ObjectKey& key,
                             const DeleteOptions& options);
  /// Removes the object and its contents at once, without a grace period and despite finalizers.
  void erase(const ApiType& type, const ObjectKey& key);

 private:
  std::string new_uid();
  std::string name_suffix();
  std::string timestamp(std::int64_t seconds_from_now = 0) const;
  std::optional<ApiStatus> assign_name(const ApiType& type, Json& metadata);
  std::optional<ApiStatus> assign_namespace(const ApiType& type, const std::string& ns,
                                            Json& metadata) const;
  ApiResult<StoredPtr> insert(const ApiType& type, Json object, bool dry_run);
  ApiResult<StoredPtr> write(const ApiType& type, const StoredPtr& current, Part part, Json object,
                             bool dry_run);
  ApiResult<Deletion> mark_deleted(const ApiType& type, const StoredPtr& current,
                                   std::int64_t grace, bool dry_run);
  void remove_contents(const ApiType& type, const Json& object);

  ResourceStore& store_;
  ApiTypes& types_;
  Clock& clock_;
  const std::uint64_t seed_;
  Mutex mu_;
  Random random_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf::sandbox
