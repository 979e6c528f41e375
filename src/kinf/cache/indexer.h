// SPDX-License-Identifier: Apache-2.0
// Indexer: the cache of one informer: objects by the key a function gives them, with indices
// (client-go: Indexer, cache.NewIndexer). The informer writes, everybody else reads through
// StoreReader.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/cache/delta.h"
#include "kinf/cache/thread_safe_store.h"

namespace kinf {

struct IndexerOptions {
  KeyFunction key_function;
  /// Applied to what add, update and replace store, after the key was taken; not to transactions,
  /// whose objects come from a queue that has done it.
  Transform transform;
  Indexers indexers;
  Behaviour behaviour = Behaviour::strict;
};

/// One write of a transaction; its key is computed.
struct ObjectWrite {
  StoreWrite::Type type = StoreWrite::Type::add;
  ObjectPtr object;
};

/// How a transaction ended (client-go: TransactionError).
struct TransactionReport {
  std::vector<std::size_t> successful;  ///< positions of the writes that were applied
  std::size_t total = 0;
  std::vector<Error> errors;

  bool ok() const { return errors.empty(); }
  /// `failed to execute (1/3) transactions failed due to: […]`; only if not ok().
  Error error() const;
};

/// Threads: as ThreadSafeStore; the key function and the transform run without a lock.
class Indexer final : public StoreReader {
 public:
  explicit Indexer(IndexerOptions options = {});

  /// Stores the object whether or not its key is there; update is the same.
  Result<> add(const ObjectPtr& object);
  Result<> update(const ObjectPtr& object);
  /// Removes the object's key if it is there; the store's resourceVersion becomes the object's.
  Result<> remove(const ObjectPtr& object);
  /// Removes the tombstone's key if it is there; the store's resourceVersion stays.
  Result<> remove(const DeletedObject& tombstone);
  /// Makes `objects` the whole content. A key or a transform that fails leaves all as it was.
  Result<> replace(const std::vector<ObjectPtr>& objects, std::string resource_version);
  /// Applies the writes in order, as one for readers. A write whose key fails is left out.
  TransactionReport transaction(std::span<const ObjectWrite> writes);
  /// Sets the store's resourceVersion, even backwards.
  void bookmark(std::string resource_version) { store_.bookmark(std::move(resource_version)); }
  Result<> add_indexers(Indexers indexers) { return store_.add_indexers(std::move(indexers)); }

  /// What is stored under the object's key; null if nothing is.
  Result<ObjectPtr> get(const Object& object) const;
  /// How often an index function failed on a write.
  std::uint64_t index_errors() const { return store_.index_errors(); }

  std::vector<std::string> list_keys() const override { return store_.list_keys(); }
  ObjectPtr get_by_key(std::string_view key) const override { return store_.get_by_key(key); }
  std::size_t size() const override { return store_.size(); }
  std::vector<ObjectPtr> list() const override { return store_.list(); }
  std::string last_store_sync_resource_version() const override {
    return store_.last_store_sync_resource_version();
  }
  Result<std::vector<ObjectPtr>> index(std::string_view index_name,
                                       const Object& object) const override {
    return store_.index(index_name, object);
  }
  Result<std::vector<ObjectPtr>> by_index(std::string_view index_name,
                                          std::string_view value) const override {
    return store_.by_index(index_name, value);
  }
  Result<std::vector<std::string>> index_keys(std::string_view index_name,
                                              std::string_view value) const override {
    return store_.index_keys(index_name, value);
  }
  std::vector<std::string> list_index_func_values(std::string_view index_name) const override {
    return store_.list_index_func_values(index_name);
  }
  Indexers get_indexers() const override { return store_.get_indexers(); }
  void with_read_lock(const std::function<void(const IndexTable&)>& look) const override {
    store_.with_read_lock(look);
  }

 private:
  const KeyFunction key_function_;
  const Transform transform_;
  ThreadSafeStore store_;
};

}  // namespace kinf
