// SPDX-License-Identifier: Apache-2.0
// ObjectService: what an API server does with objects between the request and the store: names,
// uids, times and generations, what a status write may touch, what deletion means.
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
  std::string uid;               ///< must be the object's, if given
  std::string resource_version;  ///< likewise
  bool dry_run = false;
};

struct Deletion {
  StoredPtr object;
  bool gone = false;  ///< false: it is going, and waits for its grace time or its finalizers
};

/// Which part of an object a write is about.
enum class Part {
  whole,       ///< all but the status, if the type keeps that apart
  status,      ///< only the status
  everything,  ///< both: not for clients
};

/// Threads: every call from any thread.
class ObjectService {
 public:
  ObjectService(ResourceStore& store, ApiTypes& types, Clock& clock, std::uint64_t seed)
      : store_(store), types_(types), clock_(clock), seed_(seed), random_(seed) {}

  /// Uids and generated names from here on are others than those of a run before.
  void reseed(std::uint64_t version);

  ApiResult<StoredPtr> get(const ApiType& type, const ObjectKey& key) const;

  /// As a client does it: the status is the server's business, the namespace must exist.
  ApiResult<StoredPtr> create(const ApiType& type, const std::string& ns, Json object,
                              bool dry_run);
  /// As a cluster that already is: status and creation time stay as given.
  ApiResult<StoredPtr> load(Json object);

  ApiResult<StoredPtr> replace(const ApiType& type, const ObjectKey& key, Part part, Json object,
                               bool dry_run);

  /// Applies `edit` to the stored object, again if it changes meanwhile.
  ApiResult<StoredPtr> modify(const ApiType& type, const ObjectKey& key, Part part,
                              const ObjectEdit& edit, bool dry_run);

  ApiResult<Deletion> remove(const ApiType& type, const ObjectKey& key,
                             const DeleteOptions& options);
  /// Takes it away as it is, as if its grace time and finalizers were over.
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
