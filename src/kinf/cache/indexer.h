// SPDX-License-Identifier: Apache-2.0
// Indexer: the cache of one informer. Stores and indexes objects under keys that a function
// computes (client-go: Indexer, cache.NewIndexer). Only the informer writes; other code reads
// through StoreReader.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kinf/cache/queue.h"
#include "kinf/cache/thread_safe_store.h"

namespace [[gnu::visibility("default")]] kinf {

struct IndexerOptions {
  KeyFunction key_function;
  /// Called for the objects of add(), update() and replace(), after their key is computed. Not
  /// called for transactions, because the queue has already transformed their objects.
  Transform transform;
  Indexers indexers;
  Behaviour behaviour = Behaviour::strict;
};

/// The result of a transaction (client-go: TransactionError).
struct TransactionReport {
  std::vector<std::size_t> successful;  ///< indexes of the writes that were applied
  std::size_t total = 0;
  std::vector<Error> errors;

  bool ok() const { return errors.empty(); }
  /// Returns `failed to execute (1/3) transactions failed due to: […]`. Call only if ok() is false.
  Error error() const;
};

/// A ThreadSafeStore that computes the keys itself. Its write functions hide the inherited ones
/// that take a key. Threads: as ThreadSafeStore. The key function and the transform run without a
/// lock.
class Indexer final : public ThreadSafeStore {
 public:
  explicit Indexer(IndexerOptions options = {});

  /// Stores the object, and replaces an object with the same key. update() is the same.
  Result<void> add(const ObjectPtr& object);
  Result<void> update(const ObjectPtr& object);
  /// Removes the object's key if it exists. Sets the store's resourceVersion to the object's.
  Result<void> remove(const ObjectPtr& object);
  /// Removes the tombstone's key if it exists. Does not change the store's resourceVersion.
  Result<void> remove(const DeletedObject& tombstone);
  /// Replaces all objects. Changes nothing if a key function or transform fails.
  Result<void> replace(const std::vector<ObjectPtr>& objects, std::string resource_version);
  /// Applies the writes in order. A reader sees all of them or none. Computes the key of each write
  /// that has none, and skips writes for which the key function fails.
  TransactionReport transaction(std::vector<StoreWrite> writes);

  /// Returns the object stored under the key of `object`; null if there is none.
  Result<ObjectPtr> get(const Object& object) const;

 private:
  const KeyFunction key_function_;
  const Transform transform_;
};

}  // namespace kinf
