// SPDX-License-Identifier: Apache-2.0
// OwnerTree: follows owner references from objects to their owners. Starts an informer for a type
// of owners when the type is first needed. Caches metadata only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "kinf/base/sync.h"
#include "kinf/informer/shared_informer_factory.h"

namespace kinf {

class Connection;
class IndexSpec;
class ValuePattern;
struct InformerFlags;

/// Replaces short type names in a pattern of owners: `deploy/web` becomes `deployment.apps/web`.
/// `web` becomes `*/web`, an owner of any type. Blocks on discovery.
Result<ValuePattern> resolve_owner(Connection& connection, const ValuePattern& pattern);

/// A chain of owners ends at an owner that does not exist or whose type the user cannot list.
/// Threads: call follow() from the thread that owns the Connection; any thread may call the rest.
class OwnerTree {
 public:
  /// Looks for owners in `namespaces` (empty: all) and among cluster-scoped objects. With
  /// `list_only`, lists each type once and does not follow changes. Otherwise calls `changed` from
  /// informer threads when an owner is added or deleted, or when the owners of an owner change. All
  /// references must outlive this object.
  OwnerTree(Connection& connection, std::vector<std::string> namespaces, const InformerFlags& flags,
            bool list_only, Clock& clock, const std::function<void()>& changed);
  ~OwnerTree();

  /// Starts informers for the types of all direct and indirect owners of `objects`. Blocks until
  /// they have synced. Fails at `deadline` or on stop.
  Result<void> follow(const std::vector<ObjectPtr>& objects, Clock::Mono deadline,
                      const std::stop_token& stop);
  /// Returns whether the types of all direct owners are followed.
  bool is_known(const Object& object) const;

  /// Like IndexSpec::values(), but follows owners: returns the last owner of each chain for @root,
  /// and all direct and indirect owners for @owner with a value.
  std::vector<std::string> values(const IndexSpec& spec, const Object& object) const;

 private:
  class Observer;
  /// A type of owners, with its informers. Must outlive the informers.
  struct Followed {
    std::string description;
    std::vector<std::unique_ptr<Observer>> observers;  ///< one per informer
    std::vector<SharedInformer*> informers;
    std::vector<HandlerRegistration> registrations;
    std::size_t waiting = 0;  ///< number of informers that are neither synced nor refused
    bool refused = false;
  };
  /// The group and kind of owners. Their version does not matter.
  using TypeName = std::pair<std::string, std::string>;
  enum class Which { roots, all };

  static TypeName type_of(const OwnerReference& owner);
  std::vector<OwnerReference> unknown_owners(const std::vector<ObjectPtr>& objects) const;
  Result<void> add(const OwnerReference& owner);
  Result<void> wait_for_lists(Clock::Mono deadline, const std::stop_token& stop);
  /// Called once per informer: with null when it has synced, with an error when the server refused
  /// its list.
  void settle(const TypeName& type, const Error* refusal);
  ObjectPtr find(const Object& owned, const OwnerReference& owner) const;
  /// What climb() has found.
  struct Climb {
    Which which = Which::all;
    std::vector<std::string> names{};
    std::unordered_set<std::string> known{};    ///< the same names
    std::unordered_set<std::string> visited{};  ///< names and uids
  };
  void climb(const Object& object, int depth, Climb& found) const;

  Connection& connection_;
  const std::vector<std::string> namespaces_;
  Clock& clock_;
  FunctionHandler handler_;  ///< calls `changed` of the constructor
  mutable Mutex mu_;
  CondVar settled_;
  std::map<TypeName, Followed> followed_ KINF_GUARDED_BY(mu_);  ///< entries are never removed
  SharedInformerFactory factory_;  ///< destroyed first: its informers call observers in followed_
};

}  // namespace kinf
