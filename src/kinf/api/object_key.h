// SPDX-License-Identifier: Apache-2.0
// ObjectKey: identifies an object within one resource type. Stores use its text as the key.
#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "kinf/base/error.h"

namespace kinf {

/// Namespace and name; the namespace is empty for cluster-scoped objects.
struct ObjectKey {
  std::string ns;
  std::string name;

  friend auto operator<=>(const ObjectKey&, const ObjectKey&) = default;
};

/// Returns `namespace/name`, or `name` if there is no namespace (client-go: MetaNamespaceKeyFunc).
std::string to_string(const ObjectKey& key);
std::string object_key(std::string_view ns, std::string_view name);

/// Parses the result of to_string(). Errors: usage, for more than one slash (client-go:
/// SplitMetaNamespaceKey).
Result<ObjectKey> parse_object_key(std::string_view text);

}  // namespace kinf
