// SPDX-License-Identifier: Apache-2.0
// OwnerTree: who owns the owners of objects: follows owner references through informers of the
// owners' types, which it starts as it meets them. Holds metadata only.
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

/// An owner that is not there, or whose type this user cannot list, is where its branch ends.
/// Threads: follow() from the thread that owns the Connection; values() and is_known() from any.
class OwnerTree {
 public:
  /// Owners are looked for in `namespaces` (none: in all) and among cluster-scoped objects.
  /// `changed` is called from informer threads when an owner came, went or changed hands. All
  /// references outlive this.
  OwnerTree(Connection& connection, std::vector<std::string> namespaces, const InformerFlags& flags,
            Clock& clock, std::function<void()> changed);
  ~OwnerTree();

  /// Makes sure that the types of all owners above the objects are followed. Blocks until their
  /// first lists are there; an error at `deadline` or on stop.
  Result<void> follow(const std::vector<ObjectPtr>& objects, Clock::Mono deadline,
                      const std::stop_token& stop);
  /// Whether the types of the object's direct owners are followed.
  bool is_known(const Object& object) const;

  /// As IndexSpec::values, but for @root the owners at the end of each branch, and for @owner with
  /// a value all owners on the way.
  std::vector<std::string> values(const IndexSpec& spec, const Object& object) const;

 private:
  class Handler;
  struct Followed {
    std::string description;
    std::vector<SharedInformer*> informers;
    std::vector<HandlerRegistration> registrations;
    bool told = false;  ///< that it cannot be listed
  };
  /// Group and kind: the version says nothing about who an owner is.
  using TypeName = std::pair<std::string, std::string>;
  enum class Which { roots, all };

  static TypeName type_of(const OwnerReference& owner);
  std::vector<OwnerReference> unknown_owners(const std::vector<ObjectPtr>& objects) const;
  Result<void> add(const OwnerReference& owner);
  Result<void> wait_for_lists(Clock::Mono deadline, const std::stop_token& stop);
  /// Whether its lists are there, or will not come.
  bool is_settled(Followed& followed) const;
  ObjectPtr find(const Object& owned, const OwnerReference& owner) const;
  void climb(const Object& object, Which which, int depth, std::vector<std::string>& names) const;

  Connection& connection_;
  const std::vector<std::string> namespaces_;
  Clock& clock_;
  std::unique_ptr<Handler> handler_;
  SharedInformerFactory factory_;
  mutable Mutex mu_;
  std::map<TypeName, Followed> followed_ KINF_GUARDED_BY(mu_);  ///< never shrinks
};

}  // namespace kinf
