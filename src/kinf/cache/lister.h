// SPDX-License-Identifier: Apache-2.0
// Lister: reads a cache by namespace, selector and name, like an API server (client-go:
// cache.GenericLister). It sends no requests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/label_selector.h"
#include "kinf/cache/store_reader.h"

namespace kinf {

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
