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
#include "kinf/cli/type_args.h"

namespace kinf {

struct PlannedInformer {
  const ResourceType* type = nullptr;
  std::string ns;    ///< empty: all, or a cluster-scoped type
  std::string name;  ///< empty: all
};

/// A type that the server does not know yet.
struct AwaitedType {
  RequestedType requested;
  Error error;  ///< what resolving it returned
};

/// Which types must exist before a plan is complete.
enum class PlanTypes {
  all,
  known,  ///< with --wait-for-type, the others are awaited; see add_awaited_types()
};

struct WatchPlan {
  std::vector<std::unique_ptr<ResourceType>> types;  ///< each once, as asked for
  std::vector<PlannedInformer> informers;
  std::vector<AwaitedType> awaited;
  /// Exactly one object was asked for.
  bool single_object = false;
  /// The namespaces asked for; none: all.
  std::vector<std::string> namespaces;

  bool several_types() const { return types.size() + awaited.size() > 1; }
  bool several_namespaces() const { return namespaces.size() != 1; }
  /// `default namespace`, for what was not found.
  std::string where() const;
};

/// Blocks on discovery, and until `deadline` where types are waited for. With PlanTypes::known it
/// does not wait for types, and the plan may have no informers yet. Usage errors for unknown types
/// and selectors that cannot be parsed.
Result<WatchPlan> make_plan(Connection& connection, const GlobalFlags& global,
                            const InformerFlags& flags, Clock::Mono deadline,
                            PlanTypes types = PlanTypes::all);

/// Asks the server again for the awaited types, and plans the informers of those that it knows now.
/// Blocks on discovery.
Result<void> add_awaited_types(WatchPlan& plan, Connection& connection, const GlobalFlags& global);

}  // namespace kinf
