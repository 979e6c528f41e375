// SPDX-License-Identifier: Apache-2.0
// Indexer: the cache of one informer: objects by the key that a function computes, with indices
// (client-go: Indexer, cache.NewIndexer). The informer writes, everyone else reads through
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
  /// Applied to the objects of add, update and replace, after their key is computed; not to those
  /// of transactions, which come from a queue that has applied it.
  Transform transform;
  Indexers indexers;
  Behaviour behaviour = Behaviour::strict;
};

/// One write of a transaction; its key is computed.
struct ObjectWrite {
  StoreWrite::Type type = StoreWrite::Type::add;
  ObjectPtr object;
};

/// The result of a transaction (client-go: TransactionError).
struct TransactionReport {
  std::vector<std::size_t> successful;  ///< positions of the writes that were applied
  std::size_t total = 0;
  std::vector<Error> errors;

  bool ok() const { return errors.empty(); }
  /// `failed to execute (1/3) transactions failed due to: […]`; only if not ok().
  Error error() const;
};

/// A ThreadSafeStore whose writes compute the key themselves; they hide the ones that take a key.
/// Threads: as ThreadSafeStore. The key function and the transform run without a lock.
class Indexer final : public ThreadSafeStore {
 public:
  explicit Indexer(IndexerOptions options = {});

  /// Stores the object whether or not its key is there; update is the same.
  Result<> add(const ObjectPtr& object);
  Result<> update(const ObjectPtr& object);
  /// Removes the object's key if it is there; the store's resourceVersion becomes the object's.
  Result<> remove(const ObjectPtr& object);
  /// Removes the tombstone's key if it is there; the store's resourceVersion stays.
  Result<> remove(const DeletedObject& tombstone);
  /// Replaces the whole content. If a key or a transform fails, nothing changes.
  Result<> replace(const std::vector<ObjectPtr>& objects, std::string resource_version);
  /// Applies the writes in order; a reader sees all or none. A write whose key fails is left out.
  TransactionReport transaction(std::span<const ObjectWrite> writes);

  /// What is stored under the object's key; null if nothing is.
  Result<ObjectPtr> get(const Object& object) const;

 private:
  const KeyFunction key_function_;
  const Transform transform_;
};

}  // namespace kinf
