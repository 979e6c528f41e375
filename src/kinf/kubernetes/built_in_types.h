// SPDX-License-Identifier: Apache-2.0
// The built-in resource types of Kubernetes: their names, and the properties that make an API
// server treat them differently. Code tests these properties, not the name of a kind. The types of
// an actual server come from discovery (client/discovery.h).
// Threads: any. Everything here is constant.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace kinf {

enum class TypeTrait : unsigned {
  cluster_scoped = 1U << 0U,
  has_status = 1U << 1U,        ///< has a status subresource
  has_scale = 1U << 2U,         ///< has a scale subresource
  has_pod_template = 1U << 3U,  ///< a workload, such as Deployment
  counts_changes = 1U << 4U,    ///< metadata.generation counts the changes of the spec
  runs_on_node = 1U << 5U,      ///< Pod: bound to a node, evictable, with a grace period and logs
  holds_objects = 1U << 6U,     ///< Namespace
  defines_types = 1U << 7U,     ///< CustomResourceDefinition
  reports_itself = 1U << 8U,    ///< Node: the client that creates the object also sets its status
  keeps_dependents = 1U << 9U,  ///< by default, deleting an object orphans its dependents
  sandbox_lacks = 1U << 10U,    ///< the sandbox does not serve this type
};

/// A field that field selectors may name. Its value is the one at `path`, or else the one at
/// `instead` (unless that path is empty), or else `otherwise`.
struct SelectableField {
  std::string_view path;  ///< such as `spec.nodeName`
  std::string_view instead = {};
  std::string_view otherwise = {};
};

struct BuiltInType {
  std::string_view group;  ///< empty for the core group
  std::string_view version;
  std::string_view resource;                         ///< `pods`
  std::string_view kind;                             ///< `Pod`; its lower case is the singular
  std::array<std::string_view, 2> short_names = {};  ///< unused elements are empty
  std::string_view category = {};                    ///< such as `all`; empty if there is none
  unsigned traits = 0;                               ///< bits of TypeTrait
  /// The fields for field selectors, besides metadata.name and metadata.namespace.
  std::span<const SelectableField> selectable_fields = {};

  constexpr bool has(TypeTrait trait) const { return (traits & static_cast<unsigned>(trait)) != 0; }
  /// Returns `pod`.
  std::string singular() const;
  /// Returns whether `name` is one of the type's names: plural, singular or short.
  bool is_called(std::string_view name) const;
};

/// Returns all types, sorted by group and resource. Types that the sandbox does not serve come
/// last.
std::span<const BuiltInType> built_in_types();

/// Returns the type with this group and plural name, or null.
const BuiltInType* find_built_in_type(std::string_view group, std::string_view resource);

/// Returns the type of the objects with this apiVersion and kind, or null.
const BuiltInType* find_built_in_kind(std::string_view api_version, std::string_view kind);

}  // namespace kinf
