// SPDX-License-Identifier: Apache-2.0
// Memberships: selects objects by the labels of their namespaces (--namespace-selector) and by
// their owners (--owner). Informers follow the namespaces and owners.
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

  /// Starts to follow the namespaces. Calls `changed` from any thread when follow() must be called
  /// again.
  Result<void> start(std::function<void()> changed);
  /// Adds the conditions on namespaces and owners to `selection`, which belongs to one informer and
  /// must not outlive this object.
  void add_to(Selection& selection, const ResourceType& type);

  /// Returns whether follow() must be called again, and clears this flag.
  bool take_changed() { return is_changed_.exchange(false); }
  /// Blocks until it is known which of `objects` are selected: waits for the list of namespaces,
  /// then starts informers for the owners of `objects` and waits until they have synced. Fails at
  /// `deadline` or on stop.
  Result<void> follow(const std::vector<ObjectPtr>& objects, Clock::Mono deadline,
                      const std::stop_token& stop);

 private:
  Memberships();
  void note_change();
  bool is_owned(const Object& object);

  std::function<void()> changed_;
  std::atomic<bool> is_changed_ = false;
  std::optional<IndexSpec> owner_;
  // Declared last, so that they are destroyed first: their informers call note_change().
  std::unique_ptr<OwnerTree> owners_;
  std::unique_ptr<NamespaceLabels> namespaces_;
};

}  // namespace kinf
