// SPDX-License-Identifier: Apache-2.0
// WatchPlan: the informers that a command needs: one per requested type, namespace and name.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kinf/api/group_version_resource.h"
#include "kinf/cli/command_line.h"
#include "kinf/cli/connection.h"
#include "kinf/cli/memberships.h"
#include "kinf/cli/namespace_filter.h"
#include "kinf/cli/selection.h"
#include "kinf/cli/type_args.h"

namespace kinf {

struct PlannedInformer {
  const ResourceType* type = nullptr;
  std::string ns;    ///< empty: all namespaces, or a cluster-scoped type
  std::string name;  ///< empty: all objects
  /// If not empty, only objects whose name matches one of these globs.
  std::vector<ValuePattern> names{};
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
  std::vector<std::unique_ptr<ResourceType>> types;  ///< each once, in the requested order
  std::vector<PlannedInformer> informers;
  std::vector<AwaitedType> awaited;
  std::string cluster{};  ///< the context, if the command uses several; otherwise empty
  /// The type Event of --with-events, which is not one of `types`; or null.
  std::unique_ptr<ResourceType> events{};
  /// True if exactly one object is requested.
  bool single_object = false;
  /// The requested namespaces; empty: all, or those that `filter` selects.
  std::vector<std::string> namespaces;
  NamespaceFilter filter;
  /// What else decides about the selection; null if nothing does.
  std::shared_ptr<Memberships> memberships;
  bool secrets_masked = false;  ///< a recording: the values of its Secrets are masked already

  bool several_types() const { return types.size() + awaited.size() > 1; }
  bool several_namespaces() const { return namespaces.size() != 1; }
  /// Returns the namespaces that the informers read; empty: all.
  std::vector<std::string> informer_namespaces() const;
  /// Returns the conditions on the objects of one informer.
  Selection selection_of(const PlannedInformer& planned) const;
  /// Returns `default namespace` for "not found" messages, or an empty string.
  std::string where() const;
};

/// Resolves the requested types and namespaces. Blocks on requests; with --wait-for-type, waits for
/// missing types until `deadline`. With PlanTypes::known it does not wait for types, and the plan
/// may have no informers yet. Fails with a usage error for unknown types and invalid selectors.
Result<WatchPlan> make_plan(Connection& connection, const GlobalFlags& global,
                            const InformerFlags& flags, Clock::Mono deadline,
                            PlanTypes types = PlanTypes::all);

/// Plans informers for the Events about the planned objects (--with-events). Blocks on discovery.
/// Fails with a usage error if the Events are requested as a type.
Result<void> add_events(WatchPlan& plan, Connection& connection);

/// Asks the server again for the awaited types, and plans the informers of those that it knows now.
/// Blocks on discovery.
Result<void> add_awaited_types(WatchPlan& plan, Connection& connection, const GlobalFlags& global,
                               const InformerFlags& flags);

}  // namespace kinf
