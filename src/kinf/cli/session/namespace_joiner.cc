// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/namespace_joiner.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "kinf/base/log.h"
#include "kinf/cli/flags/informer_flags.h"
#include "kinf/cli/selection/namespace_access.h"
#include "kinf/cli/selection/namespace_labels.h"
#include "kinf/cli/selection/watch_plan.h"
#include "kinf/cli/session/informer_set.h"

namespace kinf {
namespace {

/// How often a new namespace that cannot be read is tried again, and for how long.
constexpr std::chrono::seconds kAccessPeriod{2};
constexpr std::chrono::minutes kAccessPatience{1};

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

NamespaceJoiner::NamespaceJoiner(Connection& connection, WatchPlan& plan,
                                 const InformerFlags& flags, Clock& clock)
    : connection_(connection), plan_(plan), clock_(clock), checks_access_(flags.accessible) {}

NamespaceJoiner::~NamespaceJoiner() = default;

Result<std::unique_ptr<NamespaceJoiner>> NamespaceJoiner::create(Connection& connection,
                                                                 WatchPlan& plan,
                                                                 const InformerFlags& flags,
                                                                 Clock& clock,
                                                                 std::function<void()> changed) {
  std::unique_ptr<NamespaceJoiner> result(new NamespaceJoiner(connection, plan, flags, clock));
  Result<std::unique_ptr<NamespaceLabels>> labels =
      NamespaceLabels::create(connection, flags.namespace_selector, flags, false, clock,
                              [self = result.get(), changed = std::move(changed)] {
                                self->is_changed_ = true;
                                changed();
                              });
  if (!labels) return fail(labels);
  result->labels_ = *std::move(labels);
  if (Result<void> started = result->labels_->start(); !started) return fail(started);
  return result;
}

Result<void> NamespaceJoiner::update(InformerSet& informers) {
  if (plan_new()) {
    if (Result<void> joined = informers.join_planned(); !joined) return joined;
  }
  leave(informers);
  return {};
}

bool NamespaceJoiner::may_join(const NamespacedType& type, const std::string& ns) {
  if (type.namespaces.size() >= kNamespacesOneByOne) {
    if (left_out_.insert(ns).second) {
      log::notice("{}: the namespace {} is left out; kinf watches at most {} one by one",
                  type.type->gvr.group_resource(), ns, kNamespacesOneByOne);
    }
    return false;
  }
  if (!checks_access_) return true;
  const auto readable = NamespaceAccess(connection_).readable(*type.type, {ns});
  return readable && !readable->empty();  // after a server error, try again later
}

bool NamespaceJoiner::plan_new() {
  if (!labels_->has_synced()) return false;
  if (!is_changed_.exchange(false) && clock_.now() < due_) return false;
  due_ = Clock::kNever;
  bool has_joined = false;
  const std::vector<std::string> names = labels_->names();
  std::erase_if(first_seen_, [&](const auto& one) { return !contains(names, one.first); });
  for (const std::string& ns : names) {
    if (!plan_.filter.selects(ns)) continue;
    for (NamespacedType& type : plan_.one_by_one) {
      if (contains(type.namespaces, ns) || contains(type.refused, ns)) continue;
      if (may_join(type, ns)) {
        plan_.join(type, ns);
        has_joined = true;
      } else if (clock_.now() - first_seen_.emplace(ns, clock_.now()).first->second <
                 kAccessPatience) {
        due_ = clock_.now() + kAccessPeriod;
      } else {
        type.refused.push_back(ns);
      }
    }
  }
  return has_joined;
}

/// Removes the informers of namespaces that are no longer selected. Keeps such an informer until
/// its cache is empty and its handlers are done, because deletions may still have to be reported.
void NamespaceJoiner::leave(InformerSet& informers) {
  std::vector<InformerSet::Member>& members = informers.members();
  const auto is_leaving = [&](const InformerSet::Member& one) {
    const std::string& ns = one.planned.ns;
    return plan_.is_joined(one.planned) && labels_->has_synced() && !labels_->contains(ns);
  };
  // Turn on notifications before checking the informers, so that an informer that becomes idle
  // after its check still notifies.
  informers.monitor().notify_when_idle(std::ranges::any_of(members, is_leaving));
  for (std::size_t i = members.size(); i-- > 0;) {
    const SharedInformer& informer = *members[i].informer;
    const bool is_over = is_leaving(members[i]) && informer.has_synced() &&
                         informer.indexer().size() == 0 && informer.stats().backlog == 0;
    if (is_over) informers.leave_planned(i);
  }
}

}  // namespace kinf
