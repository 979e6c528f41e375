// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/selection/memberships.h"

#include <algorithm>
#include <utility>

#include "kinf/cli/connection/connection.h"
#include "kinf/cli/flags/informer_flags.h"
#include "kinf/cli/selection/namespace_labels.h"
#include "kinf/cli/selection/owner_tree.h"
#include "kinf/cli/selection/selection.h"

namespace kinf {

Memberships::Memberships() = default;
Memberships::~Memberships() = default;

Result<std::unique_ptr<Memberships>> Memberships::create(Connection& connection,
                                                         const InformerFlags& flags,
                                                         const std::vector<std::string>& namespaces,
                                                         bool list_only, Clock& clock) {
  std::unique_ptr<Memberships> result;
  if (flags.owner.empty() && flags.namespace_selector.empty()) return result;
  result.reset(new Memberships());
  const auto note_change = [self = result.get()] { self->note_change(); };
  if (!flags.owner.empty()) {
    Result<ValuePattern> owner = resolve_owner(connection, ValuePattern(flags.owner));
    if (!owner) return fail(owner);
    result->owner_ = IndexSpec::parse("@owner").value();
    result->owner_->set_value(*std::move(owner));
    result->owners_ =
        std::make_unique<OwnerTree>(connection, namespaces, flags, list_only, clock, note_change);
  }
  if (!flags.namespace_selector.empty()) {
    Result<std::unique_ptr<NamespaceLabels>> labels = NamespaceLabels::create(
        connection, flags.namespace_selector, flags, list_only, clock, note_change);
    if (!labels) return fail(labels);
    result->namespaces_ = *std::move(labels);
  }
  return result;
}

Result<void> Memberships::start(std::function<void()> changed) {
  changed_ = std::move(changed);
  return namespaces_ ? namespaces_->start() : Result<void>();
}

void Memberships::note_change() {
  is_changed_ = true;
  changed_();
}

bool Memberships::is_owned(const Object& object) {
  if (!owners_->is_known(object)) note_change();
  return std::ranges::any_of(owners_->values(*owner_, object),
                             [&](const std::string& owner) { return owner_->wants(owner); });
}

void Memberships::add_to(Selection& selection, const ResourceType& type) {
  if (namespaces_ && type.namespaced) {
    selection.add_membership(
        [this](const Object& object) { return namespaces_->contains(object.ns()); });
  }
  if (owners_) selection.add_membership([this](const Object& object) { return is_owned(object); });
}

Result<void> Memberships::follow(const std::vector<ObjectPtr>& objects, Clock::Mono deadline,
                                 const std::stop_token& stop) {
  if (namespaces_) {
    if (Result<void> synced = namespaces_->wait_for_sync(deadline, stop); !synced) return synced;
  }
  return owners_ ? owners_->follow(objects, deadline, stop) : Result<void>();
}

}  // namespace kinf
