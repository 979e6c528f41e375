// SPDX-License-Identifier: Apache-2.0
// StoreReader: the read-only interface of a cache. The informer writes, everyone else reads here.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/cache/functions.h"

namespace kinf {

class IndexTable;  // kinf/cache/index_table.h

/// What a queue needs from the store it feeds, to find out which objects a new list no longer holds
/// (client-go: KeyListerGetter).
///
/// Threads: every call from any thread. Queues call this with their lock held, so an implementation
/// must not call the queue.
class KnownObjects {
 public:
  virtual ~KnownObjects() = default;
  /// In no particular order.
  virtual std::vector<std::string> list_keys() const = 0;
  /// Null if there is none.
  virtual ObjectPtr get_by_key(std::string_view key) const = 0;
};

/// Each answer comes from one consistent state. Objects are shared, keys are copied. The order is
/// unspecified unless a function says otherwise.
///
/// Threads: every call from any thread. A call waits at most while a writer swaps pointers.
class StoreReader : public KnownObjects {
 public:
  virtual std::size_t size() const = 0;
  virtual std::vector<ObjectPtr> list() const = 0;
  /// The resourceVersion of the newest write: of its object, list or bookmark. Empty at first.
  virtual std::string last_store_sync_resource_version() const = 0;

  /// The objects that share a value with `object` in the index, each once.
  virtual Result<std::vector<ObjectPtr>> index(std::string_view index_name,
                                               const Object& object) const = 0;
  /// The objects under `value`. A usage error if there is no such index.
  virtual Result<std::vector<ObjectPtr>> by_index(std::string_view index_name,
                                                  std::string_view value) const = 0;
  /// Their keys, sorted.
  virtual Result<std::vector<std::string>> index_keys(std::string_view index_name,
                                                      std::string_view value) const = 0;
  /// The values that have objects. Empty if there is no such index.
  virtual std::vector<std::string> list_index_func_values(std::string_view index_name) const = 0;
  /// A copy of the index functions by name (client-go returns its own map, without a lock).
  virtual Indexers get_indexers() const = 0;

  /// Calls `look` with one state of the whole cache, for questions that need several look-ups.
  /// Writers wait meanwhile: copy pointers and return. Inside, the store may be read, but a write
  /// from the same thread ends the process.
  virtual void with_read_lock(const std::function<void(const IndexTable&)>& look) const = 0;
};

}  // namespace kinf
