// SPDX-License-Identifier: Apache-2.0
// WatchPlan: which informers a command needs: one per type, namespace and name asked for.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kinf/api/group_version_resource.h"
#include "kinf/cli/command_line.h"
#include "kinf/cli/connection.h"

namespace kinf {

struct PlannedInformer {
  const ResourceType* type = nullptr;
  std::string ns;    ///< empty: all, or a cluster-scoped type
  std::string name;  ///< empty: all
};

struct WatchPlan {
  std::vector<std::unique_ptr<ResourceType>> types;  ///< each once, as asked for
  std::vector<PlannedInformer> informers;
  /// Exactly one object was asked for.
  bool single_object = false;
  /// The namespaces asked for; none: all.
  std::vector<std::string> namespaces;

  bool several_types() const { return types.size() > 1; }
  bool several_namespaces() const { return namespaces.size() != 1; }
  /// `default namespace`, for what was not found.
  std::string where() const;
};

/// Blocks on discovery, and until `deadline` where types are waited for. Usage errors for unknown
/// types and selectors that cannot be parsed.
Result<WatchPlan> make_plan(Connection& connection, const GlobalFlags& global,
                            const InformerFlags& flags, Clock::Mono deadline);

}  // namespace kinf
