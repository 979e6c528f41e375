// SPDX-License-Identifier: Apache-2.0
// ThreadSafeStore: objects and their indices by explicit key, for many readers and one writer at
// a time (client-go: ThreadSafeStore). Computes no keys; Indexer does.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/sync.h"
#include "kinf/cache/behaviour.h"
#include "kinf/cache/functions.h"
#include "kinf/cache/index_table.h"
#include "kinf/cache/store_reader.h"

namespace kinf {

/// One write of a transaction.
struct StoreWrite {
  enum class Type { add, update, remove };

  Type type = Type::add;
  std::string key;
  ObjectPtr object;
};

/// When an index function fails or throws: in `strict` the object is stored but has no value in
/// that index, and the failure is counted; in `client_go`, where Go panics, the whole write fails
/// with the text of the panic.
///
/// Threads: every call from any thread. Writers have their own lock and call the index functions
/// under it: an index function may read the store but must not write to it. Readers wait only while
/// a prepared write is linked in.
class ThreadSafeStore : public StoreReader {
 public:
  explicit ThreadSafeStore(Indexers indexers = {}, Behaviour behaviour = Behaviour::strict);

  /// Stores `object` whether or not the key is there; update is the same.
  Result<> add(std::string_view key, ObjectPtr object);
  Result<> update(std::string_view key, ObjectPtr object);
  /// Removes the key if it is there. The store's resourceVersion becomes that of `object`.
  void remove(std::string_view key, const Object& object);
  /// The same without a known object: the store's resourceVersion stays.
  void remove(std::string_view key);
  /// Replaces the whole content with `items`; the last of equal keys wins.
  Result<> replace(std::vector<std::pair<std::string, ObjectPtr>> items,
                   std::string resource_version);
  /// Applies the writes in order; a reader sees all of them or none.
  Result<> transaction(std::span<const StoreWrite> writes);
  /// Sets the store's resourceVersion, even backwards.
  void bookmark(std::string resource_version);
  /// Adds indices and fills them from the stored objects. A usage error, with nothing added, if
  /// one of the names exists already.
  Result<> add_indexers(Indexers indexers);

  /// How many writes had an index function that failed.
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
  /// For writers: only they change the functions, so they may read them without mu_.
  const Functions& functions() const KINF_REQUIRES(writer_) KINF_TSA(no_thread_safety_analysis) {
    return functions_;
  }

  const Behaviour behaviour_;
  std::atomic<std::uint64_t> index_errors_{0};

  /// Held by a writer from the first index function to the end; taken before mu_.
  mutable Mutex writer_;
  mutable RwMutex mu_;
  IndexTable table_ KINF_GUARDED_BY(mu_);
  /// In the order of the table's indices; never shrinks. Written with both locks held.
  Functions functions_ KINF_GUARDED_BY(mu_);
  std::string resource_version_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
