// SPDX-License-Identifier: Apache-2.0
// ThreadSafeStore: stores objects and their indices under keys that the caller passes (client-go:
// ThreadSafeStore). Indexer computes the keys.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/sync.h"
#include "kinf/cache/functions.h"
#include "kinf/cache/index_table.h"
#include "kinf/cache/store_reader.h"

namespace [[gnu::visibility("default")]] kinf {

/// One write of a transaction.
struct StoreWrite {
  enum class Type { add, update, remove };

  Type type = Type::add;
  std::string key;
  ObjectPtr object;
};

/// Stores objects and their indices. If an index function fails or throws, `strict` counts the
/// failure and stores the object without a value in that index. In `client_go`, the write fails
/// with the text of client-go's panic.
///
/// Threads: every call from any thread. Writers call the index functions under a lock of their own:
/// an index function may read the store but must not write to it. Readers wait for a writer only
/// while it changes the table, not while it computes index values.
class ThreadSafeStore : public StoreReader {
 public:
  explicit ThreadSafeStore(Indexers indexers = {}, Behaviour behaviour = Behaviour::strict);

  /// Stores `object`, and replaces an object with the same key. update() is the same.
  Result<void> add(std::string_view key, ObjectPtr object);
  Result<void> update(std::string_view key, ObjectPtr object);
  /// Removes the key if it exists. Sets the store's resourceVersion to that of `object`.
  void remove(std::string_view key, const Object& object);
  /// Removes the key if it exists. Does not change the store's resourceVersion.
  void remove(std::string_view key);
  /// Replaces all objects with `items`. If a key occurs twice, the last item wins.
  Result<void> replace(std::vector<std::pair<std::string, ObjectPtr>> items,
                       std::string resource_version);
  /// Applies the writes in order. A reader sees all of them or none.
  Result<void> transaction(std::span<const StoreWrite> writes);
  /// Sets the store's resourceVersion, even to an older one.
  void bookmark(std::string resource_version);
  /// Adds indices and fills them from the stored objects. If one of the names exists already, adds
  /// nothing and returns a usage error.
  Result<void> add_indexers(Indexers indexers);

  /// Returns the number of calls of index functions that failed.
  std::uint64_t index_errors() const { return index_errors_.load(std::memory_order_relaxed); }

  std::vector<std::string> list_keys() const override;
  ObjectPtr get_by_key(std::string_view key) const override;
  std::size_t size() const override;
  std::vector<ObjectPtr> list() const override;
  std::string last_store_sync_resource_version() const override;
  Result<std::vector<ObjectPtr>> index(std::string_view index_name,
                                       const Object& object) const override;
  Result<std::vector<ObjectPtr>> by_index(std::string_view index_name,
                                          std::string_view value) const override;
  Result<std::vector<std::string>> index_keys(std::string_view index_name,
                                              std::string_view value) const override;
  std::vector<std::string> list_index_func_values(std::string_view index_name) const override;
  Indexers get_indexers() const override;
  void with_read_lock(const std::function<void(const IndexTable&)>& look) const override;

 private:
  using Functions = std::vector<std::pair<std::string, IndexFunction>>;

  Result<IndexTable::Values> values_of(const Functions& functions, std::string_view key,
                                       const Object& object);
  /// Returns the index functions, for writers only. Writers may read them without mu_, because only
  /// writers change them.
  const Functions& functions() const KINF_REQUIRES(writer_) KINF_TSA(no_thread_safety_analysis) {
    return functions_;
  }

  const Behaviour behaviour_;
  std::atomic<std::uint64_t> index_errors_{0};

  /// Held during a write, including its index functions. Locked before mu_.
  mutable Mutex writer_;
  mutable RwMutex mu_;
  IndexTable table_ KINF_GUARDED_BY(mu_);
  /// The index functions, in the order of the table's indices. Never shrinks. Written with both
  /// locks held.
  Functions functions_ KINF_GUARDED_BY(mu_);
  std::string resource_version_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
