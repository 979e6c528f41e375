// SPDX-License-Identifier: Apache-2.0
// WatchPlan: the informers that a command needs: one per requested type, namespace and name.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kinf/api/group_version_resource.h"
#include "kinf/base/clock.h"
#include "kinf/cli/flags/namespace_filter.h"
#include "kinf/cli/flags/type_args.h"
#include "kinf/cli/selection/selection.h"

namespace kinf {

class Connection;
class Memberships;
struct GlobalFlags;
struct InformerFlags;

struct PlannedInformer {
  const ResourceType* type = nullptr;
  std::string ns;    ///< empty for all namespaces, and for a cluster-scoped type
  std::string name;  ///< empty means all objects
  /// If not empty, the informer selects only objects whose names match one of these globs.
  std::vector<ValuePattern> names{};
  /// The type was requested as one of all: the command continues without it if it cannot be listed.
  bool one_of_all = false;
};

/// A type that the server does not know yet.
struct AwaitedType {
  RequestedType requested;
  Error error;  ///< the error of looking up the type
};

/// The maximum number of namespaces that are read one by one for one type, instead of all at once.
inline constexpr std::size_t kNamespacesOneByOne = 50;

/// Which types must exist before a plan is complete.
enum class PlanTypes {
  all,
  known,  ///< the known types; with --wait-for-type, the others go to WatchPlan::awaited
};

/// A type that is read namespace by namespace, because the user may not read all at once.
struct NamespacedType {
  const ResourceType* type = nullptr;
  std::vector<std::string> names;  ///< the requested names; empty means all objects
  std::vector<std::string> namespaces;
  /// With --accessible, the namespaces that the user may not read.
  std::vector<std::string> refused{};
  bool one_of_all = false;  ///< as in PlannedInformer
};

struct WatchPlan {
  std::vector<std::unique_ptr<ResourceType>> types;  ///< each once, in the requested order
  std::vector<PlannedInformer> informers;
  std::vector<AwaitedType> awaited;
  std::string cluster{};  ///< name of the context; empty if the command uses only one
  /// The type Event if --with-events is given, otherwise null. It is not one of `types`.
  std::unique_ptr<ResourceType> events{};
  /// True if exactly one object is requested.
  bool single_object = false;
  /// The requested namespaces. Empty means all namespaces, or those that `filter` selects.
  std::vector<std::string> namespaces;
  NamespaceFilter filter;
  /// The types that are read namespace by namespace. For these types, namespaces that are created
  /// later must be joined.
  std::vector<NamespacedType> one_by_one{};
  /// Selects objects by namespace labels and owners; null without --namespace-selector and --owner.
  std::shared_ptr<Memberships> memberships;
  std::vector<ResourceType> excluded{};  ///< the types of --except
  bool secrets_masked = false;           ///< the recording that is read masks the values of Secrets

  bool several_types() const { return types.size() + awaited.size() > 1; }
  bool several_namespaces() const { return namespaces.size() != 1; }
  /// Returns whether one of the types is namespaced. Counts awaited types as namespaced, because
  /// they may be.
  bool has_namespaced_types() const;
  /// Returns whether it reads Secrets from a recording that has no values of them.
  bool reads_masked_secrets() const;
  /// Returns the namespaces that the informers read. An empty result means all namespaces.
  std::vector<std::string> informer_namespaces() const;
  /// Plans the informers of `type` in one more namespace, and one for the Events in it if the plan
  /// has Events.
  void join(NamespacedType& type, const std::string& ns);
  /// Returns whether the informer reads one of the namespaces in `one_by_one`.
  bool is_joined(const PlannedInformer& planned) const;
  /// Removes the informer with index `informer`, of a namespace or a type that is gone. Once the
  /// last informer of its type and namespace has been removed, the namespace can be joined again.
  void leave(std::size_t informer);
  /// Stops joining namespaces for a type that is gone.
  void forget(const ResourceType& type);
  /// Returns the conditions that kinf checks for the objects of one informer.
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

/// Returns the types that `*` stands for, without those in `plan.excluded`. Blocks on discovery,
/// which does not read the cache with --all-types.
Result<std::vector<ResourceType>> all_types(Connection& connection, const WatchPlan& plan,
                                            const InformerFlags& flags);

/// Plans the informers of types that the server did not have before (--all-types). Leaves out those
/// that may not be read in any namespace. Blocks on requests with --accessible.
Result<void> add_types(WatchPlan& plan, Connection& connection, std::vector<ResourceType> types,
                       const InformerFlags& flags);

/// Returns the flags of one informer. If it reads the Events of --with-events, removes the user's
/// selectors, because Events are selected by the objects that they are about.
InformerFlags flags_of(const PlannedInformer& planned, const WatchPlan& plan, InformerFlags flags);

/// Plans informers for the Events about the planned objects (--with-events). Blocks on discovery.
/// Fails with a usage error if the Events are requested as a type.
Result<void> add_events(WatchPlan& plan, Connection& connection);

/// Asks the server again for the awaited types, and plans the informers of those that it knows now.
/// Blocks on discovery.
Result<void> add_awaited_types(WatchPlan& plan, Connection& connection, const GlobalFlags& global,
                               const InformerFlags& flags);

}  // namespace kinf
