// SPDX-License-Identifier: Apache-2.0
// Lister: reads a cache like an API server: by namespace, selector and name (client-go:
// cache.GenericLister). Sends no requests.
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
  /// `resource` names the type in errors: `pods`.
  Lister(const StoreReader& store, std::string resource);

  /// The objects that match, in no particular order.
  std::vector<ObjectPtr> list(const LabelSelector& selector) const;
  /// Those of one namespace; of all if `ns` is empty. Without an index named kNamespaceIndex it
  /// looks at every object.
  std::vector<ObjectPtr> list(std::string_view ns, const LabelSelector& selector) const;
  /// The object stored under `key`; kind not_found if there is none: `pods "a/b" not found`.
  Result<ObjectPtr> get(std::string_view key) const;
  /// The object `name` of the namespace, under the key `ns/name` even if `ns` is empty.
  Result<ObjectPtr> get(std::string_view ns, std::string_view name) const;

 private:
  Result<ObjectPtr> find(std::string_view key, std::string_view name) const;

  const StoreReader& store_;
  const std::string resource_;
};

}  // namespace kinf
