// SPDX-License-Identifier: Apache-2.0
#include "kinf/cache/indexer.h"

#include <fmt/format.h>

#include <utility>

namespace kinf {

Error TransactionReport::error() const {
  std::string causes;
  for (const Error& one : errors) causes.append(causes.empty() ? "" : " ").append(one.message);
  return {errors.empty() ? ErrorKind::internal : errors.front().kind,
          fmt::format("failed to execute ({}/{}) transactions failed due to: [{}]",
                      total - successful.size(), total, causes)};
}

Indexer::Indexer(IndexerOptions options)
    : ThreadSafeStore(std::move(options.indexers), options.behaviour),
      key_function_(std::move(options.key_function)),
      transform_(std::move(options.transform)) {}

Result<void> Indexer::add(const ObjectPtr& object) {
  const Result<std::string> key = key_of(key_function_, *object);
  if (!key) return fail(key);
  Result<ObjectPtr> kept = transformed(transform_, object);
  if (!kept) return fail(std::move(kept).error().within("transforming"));
  return ThreadSafeStore::add(*key, std::move(*kept));
}

Result<void> Indexer::update(const ObjectPtr& object) { return add(object); }

Result<void> Indexer::remove(const ObjectPtr& object) {
  const Result<std::string> key = key_of(key_function_, *object);
  if (!key) return fail(key);
  ThreadSafeStore::remove(*key, *object);
  return {};
}

Result<void> Indexer::remove(const DeletedObject& tombstone) {
  ThreadSafeStore::remove(tombstone.key);
  return {};
}

Result<void> Indexer::replace(const std::vector<ObjectPtr>& objects, std::string resource_version) {
  std::vector<std::pair<std::string, ObjectPtr>> items;
  items.reserve(objects.size());
  for (const ObjectPtr& object : objects) {
    Result<std::string> key = key_of(key_function_, *object);
    if (!key) return fail(key);
    Result<ObjectPtr> kept = transformed(transform_, object);
    if (!kept) return fail(std::move(kept).error().within("transforming"));
    items.emplace_back(std::move(*key), std::move(*kept));
  }
  return ThreadSafeStore::replace(std::move(items), std::move(resource_version));
}

TransactionReport Indexer::transaction(std::vector<StoreWrite> writes) {
  TransactionReport report;
  report.total = writes.size();
  report.successful.reserve(writes.size());
  for (std::size_t i = 0; i < writes.size(); ++i) {
    if (writes[i].key.empty()) {
      Result<std::string> key = key_of(key_function_, *writes[i].object);
      if (!key) {
        report.errors.push_back(std::move(key).error());
        continue;
      }
      writes[i].key = std::move(*key);
    }
    const std::size_t kept = report.successful.size();
    if (kept != i) writes[kept] = std::move(writes[i]);
    report.successful.push_back(i);
  }
  writes.resize(report.successful.size());
  if (Result<void> applied = ThreadSafeStore::transaction(writes); !applied) {
    report.successful.clear();
    report.errors.push_back(std::move(applied).error());
  }
  return report;
}

Result<ObjectPtr> Indexer::get(const Object& object) const {
  const Result<std::string> key = key_of(key_function_, object);
  if (!key) return fail(key);
  return get_by_key(*key);
}

}  // namespace kinf
