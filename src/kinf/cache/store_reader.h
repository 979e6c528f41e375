// SPDX-License-Identifier: Apache-2.0
// StoreReader: the reading face of a cache, for everybody but the informer that fills it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/cache/functions.h"
#include "kinf/cache/index_table.h"
#include "kinf/cache/known_objects.h"

namespace kinf {

/// Every answer comes from one consistent state. Objects are shared, keys are copied; order is
/// unspecified except where said.
///
/// Threads: every call from any thread; none waits for more than a writer's short exchange of
/// pointers.
class StoreReader : public KnownObjects {
 public:
  virtual std::size_t size() const = 0;
  virtual std::vector<ObjectPtr> list() const = 0;
  /// The resourceVersion of the newest write: of its object, its list or its bookmark; empty at
  /// first.
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
  /// The values that have objects; empty if there is no such index.
  virtual std::vector<std::string> list_index_func_values(std::string_view index_name) const = 0;
  /// The index functions by name, as a copy: client-go gives its own map away, unguarded.
  virtual Indexers get_indexers() const = 0;

  /// Runs `look` on one state of the whole cache, for questions that need several look-ups.
  /// Writers wait meanwhile: copy pointers and return; call nothing of the store from inside.
  virtual void with_read_lock(const std::function<void(const IndexTable&)>& look) const = 0;
};

}  // namespace kinf
