// SPDX-License-Identifier: Apache-2.0
// Memberships: follows what decides which objects are selected, apart from the objects themselves:
// the labels of their namespaces (--namespace-selector) and their owners (--owner).
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/base/clock.h"
#include "kinf/query/index_spec.h"

namespace kinf {

class Connection;
class NamespaceLabels;
class OwnerTree;
class Selection;
struct InformerFlags;
struct ResourceType;

/// Threads: one owner; the conditions that add_to() adds may be called from any thread.
class Memberships {
 public:
  /// Resolves the type of the owner. Blocks on discovery. Returns null if the flags select neither
  /// by namespace labels nor by owner. `namespaces`, `list_only`: see OwnerTree. All references
  /// must outlive this object.
  static Result<std::unique_ptr<Memberships>> create(Connection& connection,
                                                     const InformerFlags& flags,
                                                     const std::vector<std::string>& namespaces,
                                                     bool list_only, Clock& clock);

  ~Memberships();

  /// Starts to follow. Calls `changed` from any thread when follow() must be called again.
  void start(std::function<void()> changed);
  /// Adds the memberships to the selection of one informer, which must not outlive this object.
  void add_to(Selection& selection, const ResourceType& type);

  /// Returns whether something changed since the last call.
  bool take_changed() { return is_changed_.exchange(false); }
  /// Completes what is known about `objects`: waits for the namespaces, and follows the owners.
  /// Fails at `deadline` or on stop.
  Result<void> follow(const std::vector<ObjectPtr>& objects, Clock::Mono deadline,
                      const std::stop_token& stop);

 private:
  Memberships();
  void note_change();
  bool is_owned(const Object& object);

  std::function<void()> changed_;
  std::atomic<bool> is_changed_ = false;
  std::optional<IndexSpec> owner_;
  // Last: their informers call note_change().
  std::unique_ptr<OwnerTree> owners_;
  std::unique_ptr<NamespaceLabels> namespaces_;
};

}  // namespace kinf
