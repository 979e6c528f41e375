// SPDX-License-Identifier: Apache-2.0
// StoreReader: the read-only interface of a cache. Only the informer writes to the cache.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/selectors.h"
#include "kinf/cache/functions.h"

namespace [[gnu::visibility("default")]] kinf {

class IndexTable;  // kinf/cache/index_table.h

/// The interface through which a queue reads the stored objects, to find the ones that are no
/// longer in a new list (client-go: KeyListerGetter).
///
/// Threads: every call from any thread. Queues call this with their lock held, so an implementation
/// must not call the queue.
class KnownObjects {
 public:
  virtual ~KnownObjects() = default;
  /// Returns the keys in unspecified order.
  virtual std::vector<std::string> list_keys() const = 0;
  /// Returns null if there is no such object.
  virtual ObjectPtr get_by_key(std::string_view key) const = 0;
};

/// The read-only interface of a cache. Each call reads one consistent state. Objects are shared,
/// keys are copied. The order is unspecified unless a comment specifies it.
///
/// Threads: every call from any thread. A call waits for a writer only while the writer changes the
/// table, not while it computes index values.
class StoreReader : public KnownObjects {
 public:
  virtual std::size_t size() const = 0;
  virtual std::vector<ObjectPtr> list() const = 0;
  /// Returns the resourceVersion of the object, list or bookmark that was written last. Empty at
  /// first.
  virtual std::string last_store_sync_resource_version() const = 0;

  /// Returns the objects that share a value with `object` in the index, each once.
  virtual Result<std::vector<ObjectPtr>> index(std::string_view index_name,
                                               const Object& object) const = 0;
  /// Returns the objects that have `value` in the index. Returns a usage error if the index does
  /// not exist.
  virtual Result<std::vector<ObjectPtr>> by_index(std::string_view index_name,
                                                  std::string_view value) const = 0;
  /// Returns the sorted keys of the objects that have `value` in the index.
  virtual Result<std::vector<std::string>> index_keys(std::string_view index_name,
                                                      std::string_view value) const = 0;
  /// Returns the values that at least one object has in the index. Empty if the index does not
  /// exist.
  virtual std::vector<std::string> list_index_func_values(std::string_view index_name) const = 0;
  /// Returns a copy of the index functions by name (client-go returns its own map, without a lock).
  virtual Indexers get_indexers() const = 0;

  /// Calls `look` with one consistent state of the cache, for queries that need several look-ups.
  /// `look` should copy pointers and return, because writers wait for it. It may read the store; a
  /// write from the same thread aborts the process.
  virtual void with_read_lock(const std::function<void(const IndexTable&)>& look) const = 0;
};

// Lister: reads a cache by namespace, selector and name, like an API server (client-go:
// cache.GenericLister). It sends no requests.

/// Threads: every call from any thread. `store` must outlive the lister.
class Lister {
 public:
  /// `resource` is the name of the type in errors: `pods`.
  Lister(const StoreReader& store, std::string resource);

  /// Returns the matching objects in unspecified order.
  std::vector<ObjectPtr> list(const LabelSelector& selector) const;
  /// Returns the matching objects of one namespace, or of all namespaces if `ns` is empty. Scans
  /// all objects if the store has no index named kNamespaceIndex.
  std::vector<ObjectPtr> list(std::string_view ns, const LabelSelector& selector) const;
  /// Returns the object stored under `key`. Errors: not_found, with the message `pods "a/b" not
  /// found`.
  Result<ObjectPtr> get(std::string_view key) const;
  /// Returns the object stored under the key `ns/name`, even if `ns` is empty. Errors: not_found.
  Result<ObjectPtr> get(std::string_view ns, std::string_view name) const;

 private:
  Result<ObjectPtr> find(std::string_view key, std::string_view name) const;

  const StoreReader& store_;
  const std::string resource_;
};

}  // namespace kinf
