// SPDX-License-Identifier: Apache-2.0
// OwnerTree: follows owner references upwards, through informers of the owners' types that it
// starts when it first needs them. Holds metadata only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kinf/base/sync.h"
#include "kinf/cli/command_line.h"
#include "kinf/cli/connection.h"
#include "kinf/informer/shared_informer_factory.h"
#include "kinf/query/index_spec.h"

namespace kinf {

/// A branch ends at an owner that does not exist, or whose type this user cannot list.
/// Threads: follow() from the thread that owns the Connection; values() and is_known() from any.
class OwnerTree {
 public:
  /// Looks for owners in `namespaces` (none: in all) and among cluster-scoped objects. Calls
  /// `changed` from informer threads when an owner was added or deleted or got other owners. All
  /// references outlive this.
  OwnerTree(Connection& connection, std::vector<std::string> namespaces, const InformerFlags& flags,
            Clock& clock, std::function<void()> changed);
  ~OwnerTree();

  /// Follows the types of all owners above the objects. Blocks until their first lists are
  /// complete; an error at `deadline` or on stop.
  Result<void> follow(const std::vector<ObjectPtr>& objects, Clock::Mono deadline,
                      const std::stop_token& stop);
  /// Whether the types of the object's direct owners are followed.
  bool is_known(const Object& object) const;

  /// As IndexSpec::values, but for @root the owners at the end of each branch, and for @owner with
  /// a value all owners on the way.
  std::vector<std::string> values(const IndexSpec& spec, const Object& object) const;

 private:
  class Handler;
  class Observer;
  /// One type of owners. Never destroyed before the informers.
  struct Followed {
    std::string description;
    std::vector<std::unique_ptr<Observer>> observers;  ///< of the informers
    std::vector<SharedInformer*> informers;
    std::vector<HandlerRegistration> registrations;
    std::size_t waiting = 0;  ///< informers that may still get their first list
    bool refused = false;
  };
  /// Group and kind: the version does not matter for owners.
  using TypeName = std::pair<std::string, std::string>;
  enum class Which { roots, all };

  static TypeName type_of(const OwnerReference& owner);
  std::vector<OwnerReference> unknown_owners(const std::vector<ObjectPtr>& objects) const;
  Result<void> add(const OwnerReference& owner);
  Result<void> wait_for_lists(Clock::Mono deadline, const std::stop_token& stop);
  /// Called once per informer of the type: it has its list, or `refusal` says why it gets none.
  void settle(const TypeName& type, const Error* refusal);
  ObjectPtr find(const Object& owned, const OwnerReference& owner) const;
  void climb(const Object& object, Which which, int depth, std::vector<std::string>& names) const;

  Connection& connection_;
  const std::vector<std::string> namespaces_;
  Clock& clock_;
  std::unique_ptr<Handler> handler_;
  mutable Mutex mu_;
  CondVar settled_;
  std::map<TypeName, Followed> followed_ KINF_GUARDED_BY(mu_);  ///< never shrinks
  SharedInformerFactory factory_;  ///< last: its informers call the observers in followed_
};

}  // namespace kinf
