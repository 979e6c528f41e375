// SPDX-License-Identifier: Apache-2.0
// Compares a cache with the server: `kinf check --verify`.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/base/error.h"

namespace kinf {

class Connection;
struct ResourceType;

/// The resourceVersions of an object that differs between the cache and the server. An empty
/// version means that the object is missing on that side.
struct VersionPair {
  std::string cached;
  std::string served;

  friend bool operator==(const VersionPair&, const VersionPair&) = default;
};
/// The objects that differ, by `namespace/name`.
using CacheDifferences = std::map<std::string, VersionPair>;

CacheDifferences compare_objects(const std::vector<ObjectPtr>& cached,
                                 const std::vector<ObjectPtr>& served);
/// Returns the differences that are in both arguments. A change that has not reached the cache yet
/// causes a difference in only one of them.
CacheDifferences lasting(const CacheDifferences& earlier, const CacheDifferences& later);

struct CacheVerification {
  std::size_t objects = 0;       ///< number of objects in the cache
  CacheDifferences differences;  ///< the differences that did not disappear
};

/// Fills a cache through an informer, as `kinf watch` does, and compares it with lists of the
/// server. If they differ, compares again up to three times, one second apart. `ns` is empty for
/// all namespaces. Blocks on requests. Errors: those of the lists; unavailable, if the initial list
/// takes longer than a minute; stopped.
Result<CacheVerification> verify_cache(Connection& connection, const ResourceType& type,
                                       const std::string& ns);

}  // namespace kinf
