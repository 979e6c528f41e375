// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/selection/owner_tree.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "kinf/api/object.h"
#include "kinf/base/limits.h"
#include "kinf/base/log.h"
#include "kinf/cli/connection/connection.h"
#include "kinf/cli/flags/informer_flags.h"
#include "kinf/cli/selection/namespace_labels.h"
#include "kinf/client/http_lister_watcher.h"
#include "kinf/informer/informer_observer.h"
#include "kinf/print/event_printer.h"
#include "kinf/query/index_spec.h"

namespace kinf {
namespace {

bool same_owners(const Object& a, const Object& b) {
  if (a.uid() != b.uid() || a.owner_count() != b.owner_count()) return false;
  for (std::size_t i = 0; i < a.owner_count(); ++i) {
    if (a.owner_at(i).uid != b.owner_at(i).uid) return false;
  }
  return true;
}

bool is_refusal(const Error& error) {
  return error.kind == ErrorKind::forbidden || error.kind == ErrorKind::auth ||
         error.kind == ErrorKind::not_found;
}

}  // namespace

Result<ValuePattern> resolve_owner(Connection& connection, const ValuePattern& pattern) {
  std::string text;
  for (const std::string& part : pattern.parts()) {
    if (!text.empty()) text += ',';
    const std::size_t slash = part.find('/');
    if (slash == std::string::npos) {
      text += "*/" + part;
      continue;
    }
    if (part.find_first_of("*?") < slash) {
      text += part;
      continue;
    }
    const Result<ResourceType> type = connection.resolve(part.substr(0, slash));
    if (!type) return fail(type);
    text += typed_name(*type, part.substr(slash + 1));
  }
  return ValuePattern(text);
}

class OwnerTree::Observer final : public InformerObserver {
 public:
  Observer(OwnerTree& tree, TypeName type) : tree_(tree), type_(std::move(type)) {}
  void on_synced(const SyncedEvent&) override { settle(nullptr); }
  void on_error(const InformerFailure& failure) override {
    if (is_refusal(failure.error)) settle(&failure.error);
  }

 private:
  void settle(const Error* refusal) {
    if (!settled_.exchange(true)) tree_.settle(type_, refusal);
  }

  OwnerTree& tree_;
  const TypeName type_;
  std::atomic<bool> settled_ = false;
};

OwnerTree::OwnerTree(Connection& connection, std::vector<std::string> namespaces,
                     const InformerFlags& flags, bool list_only, Clock& clock,
                     const std::function<void()>& changed)
    : connection_(connection),
      namespaces_(std::move(namespaces)),
      clock_(clock),
      handler_({.on_add =
                    [changed](const Change& change) {
                      if (!change.initial) changed();
                    },
                .on_update =
                    [changed](const Change& change) {
                      if (!same_owners(*change.old, *change.object)) changed();
                    },
                .on_delete = [changed](const Change&) { changed(); },
                .on_synced = [changed](const SyncedEvent&) { changed(); }}),
      factory_(clock, helper_informer_options(flags, list_only)) {}

OwnerTree::~OwnerTree() {
  factory_.shutdown();
  MutexLock lock(mu_);
  for (auto& [type, followed] : followed_) followed.registrations.clear();
}

OwnerTree::TypeName OwnerTree::type_of(const OwnerReference& owner) {
  const std::size_t slash = owner.api_version.find('/');
  const std::string_view group =
      slash == std::string_view::npos ? std::string_view() : owner.api_version.substr(0, slash);
  return {std::string(group), std::string(owner.kind)};
}

Result<void> OwnerTree::follow(const std::vector<ObjectPtr>& objects, Clock::Mono deadline,
                               const std::stop_token& stop) {
  // Each round adds informers for the owners of one level, then goes up to these owners.
  std::vector<ObjectPtr> level = objects;
  for (int depth = 0; depth < limits::kOwnerDepth && !level.empty(); ++depth) {
    for (const OwnerReference& owner : unknown_owners(level)) {
      if (Result<void> added = add(owner); !added) return added;
    }
    if (Result<void> listed = wait_for_lists(deadline, stop); !listed) return listed;
    std::vector<ObjectPtr> above;
    for (const ObjectPtr& object : level) {
      for (std::size_t i = 0; i < object->owner_count(); ++i) {
        if (ObjectPtr owner = find(*object, object->owner_at(i))) above.push_back(std::move(owner));
      }
    }
    std::ranges::sort(above, {}, [](const ObjectPtr& object) { return object.get(); });
    const auto twice = std::ranges::unique(above);
    above.erase(twice.begin(), twice.end());
    level = std::move(above);
  }
  return {};
}

std::vector<OwnerReference> OwnerTree::unknown_owners(const std::vector<ObjectPtr>& objects) const {
  std::map<TypeName, OwnerReference> unknown;
  MutexLock lock(mu_);
  for (const ObjectPtr& object : objects) {
    for (std::size_t i = 0; i < object->owner_count(); ++i) {
      const OwnerReference owner = object->owner_at(i);
      TypeName type = type_of(owner);
      if (!followed_.contains(type)) unknown.emplace(std::move(type), owner);
    }
  }
  std::vector<OwnerReference> owners;
  for (const auto& [type, owner] : unknown) owners.push_back(owner);
  return owners;
}

Result<void> OwnerTree::add(const OwnerReference& owner) {
  const TypeName name = type_of(owner);
  Followed followed;
  followed.description = name.first.empty() ? name.second : name.second + "." + name.first;
  Result<ResourceType> type = connection_.resolve(followed.description);
  if (!type) {
    if (type.error().kind != ErrorKind::usage && !is_refusal(type.error())) return fail(type);
    log::notice("cannot follow owners beyond {}: {}", followed.description, type.error().message);
  } else {
    std::vector<std::string> namespaces = namespaces_;
    if (namespaces.empty() || !type->namespaced) namespaces = {""};
    for (const std::string& ns : namespaces) {
      HttpSource source = metadata_source(*type, ns);
      source.needs_manager = false;
      auto watcher = connection_.source(std::move(source));
      if (!watcher) return fail(watcher);
      followed.observers.push_back(std::make_unique<Observer>(*this, name));
      const Result<SharedInformer*> informer =
          factory_.informer_for(*std::move(watcher), followed.observers.back().get());
      if (!informer) return fail(informer);
      Result<HandlerRegistration> registration = (*informer)->add_event_handler(handler_);
      if (!registration) return fail(registration);
      followed.registrations.push_back(*std::move(registration));
      followed.informers.push_back(*informer);
    }
    followed.waiting = namespaces.size();
  }
  {
    MutexLock lock(mu_);
    followed_.emplace(name, std::move(followed));
  }
  return factory_.start();
}

void OwnerTree::settle(const TypeName& type, const Error* refusal) {
  std::string refused;
  {
    MutexLock lock(mu_);
    Followed& followed = followed_.at(type);
    --followed.waiting;
    if (refusal != nullptr && !std::exchange(followed.refused, true)) {
      refused = followed.description;
    }
    settled_.notify_all();
  }
  if (!refused.empty()) {
    log::notice("cannot follow owners beyond {}: {}", refused, refusal->message);
  }
}

Result<void> OwnerTree::wait_for_lists(Clock::Mono deadline, const std::stop_token& stop) {
  MutexLock lock(mu_);
  for (const auto& [type, followed] : followed_) {
    while (followed.waiting > 0) {
      if (stop.stop_requested()) return fail(ErrorKind::stopped, "stopped");
      if (clock_.now() >= deadline) {
        return fail(ErrorKind::unavailable, "timed out waiting for the list of owners of type {}",
                    followed.description);
      }
      clock_.wait_until(settled_, mu_, deadline, stop);
    }
  }
  return {};
}

bool OwnerTree::is_known(const Object& object) const {
  MutexLock lock(mu_);
  for (std::size_t i = 0; i < object.owner_count(); ++i) {
    if (!followed_.contains(type_of(object.owner_at(i)))) return false;
  }
  return true;
}

ObjectPtr OwnerTree::find(const Object& owned, const OwnerReference& owner) const {
  std::vector<SharedInformer*> informers;
  {
    MutexLock lock(mu_);
    const auto found = followed_.find(type_of(owner));
    if (found == followed_.end()) return nullptr;
    informers = found->second.informers;
  }
  // The owner is in the same namespace or cluster-scoped.
  for (const std::string_view ns : {owned.ns(), std::string_view()}) {
    for (const SharedInformer* informer : informers) {
      ObjectPtr object = informer->indexer().get_by_key(object_key(ns, owner.name));
      if (object && object->uid() == owner.uid) return object;
    }
  }
  return nullptr;
}

void OwnerTree::climb(const Object& object, int depth, Climb& found) const {
  for (std::size_t i = 0; i < object.owner_count(); ++i) {
    const OwnerReference owner = object.owner_at(i);
    std::string name = owner_name(owner.api_version, owner.kind, owner.name);
    // Skip owners already visited, because the number of paths can be exponential.
    if (!found.visited.insert(name + ' ' + std::string(owner.uid)).second) continue;
    const ObjectPtr above = depth < limits::kOwnerDepth ? find(object, owner) : nullptr;
    const bool is_root = !above || above->owner_count() == 0;
    const bool wanted = is_root || found.which == Which::all;
    if (wanted && found.known.insert(name).second) found.names.push_back(std::move(name));
    if (!is_root) climb(*above, depth + 1, found);
  }
}

std::vector<std::string> OwnerTree::values(const IndexSpec& spec, const Object& object) const {
  if (!spec.follows_owners()) return spec.values(object);
  Climb found{spec.source() == IndexSpec::Source::root ? Which::roots : Which::all};
  climb(object, 0, found);
  return std::move(found.names);
}

}  // namespace kinf
