// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/selection/namespace_follower.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "kinf/base/log.h"

namespace kinf {
namespace {

/// How often a new namespace that cannot be read is tried again, and for how long.
constexpr std::chrono::seconds kAccessPeriod{2};
constexpr std::chrono::minutes kAccessPatience{1};

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

Result<std::unique_ptr<NamespaceFollower>> NamespaceFollower::create(
    Connection& connection, const InformerFlags& flags, Clock& clock,
    std::function<void()> changed) {
  std::unique_ptr<NamespaceFollower> result(new NamespaceFollower(connection, flags, clock));
  Result<std::unique_ptr<NamespaceLabels>> labels =
      NamespaceLabels::create(connection, flags.namespace_selector, flags, false, clock,
                              [self = result.get(), changed = std::move(changed)] {
                                self->is_changed_ = true;
                                changed();
                              });
  if (!labels) return std::unexpected(std::move(labels).error());
  result->labels_ = *std::move(labels);
  result->labels_->start();
  return result;
}

bool NamespaceFollower::may_join(const NamespacedType& type, const std::string& ns) {
  if (type.namespaces.size() >= kMostNamespaces) {
    if (left_out_.insert(ns).second) {
      log::notice("{}: the namespace {} is left out; kinf watches at most {} one by one",
                  type.type->gvr.group_resource(), ns, kMostNamespaces);
    }
    return false;
  }
  if (!checks_access_) return true;
  const Result<std::vector<std::string>> readable =
      NamespaceAccess(connection_).readable(*type.type, {ns});
  return readable && !readable->empty();  // after an error of the server: later
}

bool NamespaceFollower::update(WatchPlan& plan) {
  if (!labels_->has_synced()) return false;
  if (!is_changed_.exchange(false) && clock_.now() < due_) return false;
  due_ = Clock::kNever;
  bool has_joined = false;
  const std::vector<std::string> names = labels_->names();
  std::erase_if(first_seen_, [&](const auto& one) { return !contains(names, one.first); });
  for (const std::string& ns : names) {
    if (!plan.filter.selects(ns)) continue;
    for (NamespacedType& type : plan.one_by_one) {
      if (contains(type.namespaces, ns) || contains(type.refused, ns)) continue;
      if (may_join(type, ns)) {
        plan.join(type, ns);
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

bool NamespaceFollower::has_left(const std::string& ns) const {
  return labels_->has_synced() && !labels_->contains(ns);
}

}  // namespace kinf
