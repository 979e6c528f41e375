// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/owner_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "kinf/columns/fields.h"
#include "kinf/sandbox/api/object_condition.h"
#include "kinf/sandbox/api/object_deletion.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {
namespace {

/// Returns `pod: NAME` or `job NAME`, as the real controllers write it.
std::string words_for(const StoredObject& child) {
  const bool is_job = text(field(child.json, "kind")) == "Job";
  return fmt::format("{} {}", is_job ? "job" : "pod:", child.key.name);
}

}  // namespace

Json controller_reference_to(const Json& owner) {
  return {{"apiVersion", field(owner, "apiVersion")},
          {"kind", field(owner, "kind")},
          {"name", field(owner, "metadata", "name")},
          {"uid", field(owner, "metadata", "uid")},
          {"controller", true},
          {"blockOwnerDeletion", true}};
}

LabelSelector selector_of(const Json& owner) {
  const Json& selector = field(owner, "spec", "selector");
  if (!selector.is_object() || selector.empty()) return LabelSelector::nothing();
  const Result<LabelSelector> parsed = LabelSelector::parse(columns::selector_text(selector));
  return parsed && !parsed->empty() ? *parsed : LabelSelector::nothing();
}

bool selects(const LabelSelector& selector, const Json& object) {
  const Json& labels = field(object, "metadata", "labels");
  return selector.matches([&](std::string_view key) -> std::optional<std::string_view> {
    const Json& value = field(labels, key);
    if (!value.is_string()) return std::nullopt;
    return std::string_view(value.get_ref<const std::string&>());
  });
}

bool has_ended(const Json& pod) {
  const std::string phase = text(field(pod, "status", "phase"));
  return phase == "Succeeded" || phase == "Failed";
}

bool is_active_pod(const Json& pod) { return !has_ended(pod) && !is_deleting(pod); }

bool is_ready_pod(const Json& pod) {
  return field(condition_of(pod, "Ready"), "status") == Json("True");
}

void sort_for_deletion(std::vector<StoredPtr>& pods) {
  std::ranges::stable_sort(pods, {}, [](const StoredPtr& pod) {
    const Json& json = pod->json;
    const std::string phase = text(field(json, "status", "phase"));
    return std::tuple(!text(field(json, "spec", "nodeName")).empty(), phase == "Running",
                      is_ready_pod(json), UINT64_MAX - pod->version);
  });
}

Json pod_of_template(const Json& owner, const Json& pod_template) {
  Json metadata = {{"generateName", text(field(owner, "metadata", "name")) + "-"},
                   {"namespace", field(owner, "metadata", "namespace")}};
  for (const char* key : {"labels", "annotations", "finalizers"}) {
    const Json& value = field(pod_template, "metadata", key);
    if (!value.is_null()) metadata[key] = value;
  }
  return {{"kind", "Pod"},
          {"apiVersion", "v1"},
          {"metadata", std::move(metadata)},
          {"spec", field(pod_template, "spec")}};
}

OwnerLoop::OwnerLoop(Cluster& cluster, std::string type, std::string child, bool adopts)
    : cluster_(cluster), type_(std::move(type)), child_(std::move(child)), adopts_(adopts) {}

void OwnerLoop::observe(const MirrorChange& change) {
  const auto& [type, key] = change.id;
  if (type == type_) {
    dirty_.insert(key);
    if (change.now == nullptr && change.old != nullptr) {
      cluster_.forget_events(uid_of(change.old->json));
    }
  }
  if (type != child_) return;
  if (adopts_) {
    const bool is_orphan =
        change.now != nullptr && controller_reference(change.now->json).is_null();
    is_orphan ? (void)orphans_.insert(key) : (void)orphans_.erase(key);
  }
  for (const StoredPtr& state : {change.now, change.old}) {
    if (state == nullptr) continue;
    const Json& owner = controller_reference(state->json);
    if (!owner.is_null()) {
      dirty_.insert({key.ns, text(field(owner, "name"))});
    } else if (adopts_ && state == change.now) {
      for (const auto& [name, candidate] : cluster_.mirror().all(type_)) {
        if (name.ns == key.ns && selects(selector_of(candidate->json), state->json)) {
          dirty_.insert(name);
        }
      }
    }
  }
}

void OwnerLoop::act() {
  const Clock::Mono now = cluster_.now();
  for (auto each = later_.begin(); each != later_.end();) {
    if (each->second <= now) {
      dirty_.insert(each->first);
      each = later_.erase(each);
    } else {
      ++each;
    }
  }
  for (const ObjectKey& key : std::exchange(dirty_, {})) {
    const StoredPtr owner = cluster_.mirror().find(type_, key);
    const ObjectId id{type_, key};
    if (owner != nullptr && !cluster_.is_scripted(id, owner->json)) reconcile(id, owner->json);
  }
}

Clock::Mono OwnerLoop::next() const {
  Clock::Mono first = Clock::kNever;
  for (const auto& [key, at] : later_) first = std::min(first, at);
  return first;
}

void OwnerLoop::again_after(const ObjectId& id, Cluster::Seconds delay) {
  plan(id.second, cluster_.now() + cluster_.scaled(delay));
}

bool OwnerLoop::has_passed(const ObjectId& id, Clock::Mono begin, Cluster::Seconds delay) {
  const Clock::Mono at = begin + cluster_.scaled(delay);
  if (at <= cluster_.now()) return true;
  plan(id.second, at);
  return false;
}

bool OwnerLoop::is_available(const ObjectId& id, const Json& owner, const Json& pod) {
  if (!is_ready_pod(pod)) return false;
  const std::chrono::seconds least(integer_or(field(owner, "spec", "minReadySeconds"), 0));
  const Json& since = field(condition_of(pod, "Ready"), "lastTransitionTime");
  return has_passed(id, cluster_.mono_time(since), least);
}

void OwnerLoop::touch_all() {
  for (const auto& [key, owner] : cluster_.mirror().all(type_)) dirty_.insert(key);
}

void OwnerLoop::plan(const ObjectKey& key, Clock::Mono at) {
  const auto [entry, is_new] = later_.try_emplace(key, at);
  if (!is_new) entry->second = std::min(entry->second, at);
}

std::vector<StoredPtr> OwnerLoop::children(const ObjectId& id, const Json& owner) {
  if (adopts_ && !is_deleting(owner)) adopt(id, owner);
  std::vector<StoredPtr> mine = cluster_.mirror().controlled(child_, uid_of(owner));
  if (adopts_) {
    const LabelSelector selector = selector_of(owner);
    std::erase_if(mine, [&](const StoredPtr& child) { return !selects(selector, child->json); });
  }
  return mine;
}

/// Adopts orphans that match, and releases children that no longer match.
void OwnerLoop::adopt(const ObjectId& id, const Json& owner) {
  const LabelSelector selector = selector_of(owner);
  for (const StoredPtr& child : cluster_.mirror().controlled(child_, uid_of(owner))) {
    if (!selects(selector, child->json)) set_owned(owner, *child, false);
  }
  for (auto each = orphans_.lower_bound({id.second.ns, ""});
       each != orphans_.end() && each->ns == id.second.ns; ++each) {
    const StoredPtr child = cluster_.mirror().find(child_, *each);
    if (child != nullptr && selects(selector, child->json)) set_owned(owner, *child, true);
  }
}

/// Adds or removes the child's reference to its owner.
void OwnerLoop::set_owned(const Json& owner, const StoredObject& child, bool is_owned) {
  const ObjectId id{child_, child.key};
  if (is_deleting(child.json) || cluster_.is_scripted(id, child.json)) return;
  cluster_.edit(kControllerManager, id, uid_of(child.json), [&](Json& current) {
    Json owners = Json::array();
    for (const Json& reference : elements(field(current, "metadata", "ownerReferences"))) {
      if (text(field(reference, "uid")) != uid_of(owner)) owners.push_back(reference);
    }
    if (is_owned) owners.push_back(controller_reference_to(owner));
    current["metadata"].erase("ownerReferences");
    if (!owners.empty()) current["metadata"]["ownerReferences"] = std::move(owners);
  });
}

void OwnerLoop::write_status(const ObjectId& id, const Json& owner, const Json& status) {
  if (is_same(field(owner, "status"), status)) return;
  cluster_.edit_status(kControllerManager, id, uid_of(owner),
                       [&](Json& current) { current["status"] = status; });
}

StoredPtr OwnerLoop::create_child(const Json& owner, Json child, const std::string& component) {
  child["metadata"]["ownerReferences"] = Json::array({controller_reference_to(owner)});
  StoredPtr created = cluster_.create(kControllerManager, std::move(child));
  if (created != nullptr) {
    cluster_.report(owner, {.reason = "SuccessfulCreate",
                            .message = "Created " + words_for(*created),
                            .component = component});
  }
  return created;
}

bool OwnerLoop::delete_child(const Json& owner, const StoredObject& child,
                             const std::string& component) {
  if (!cluster_.remove({child_, child.key}, uid_of(child.json))) return false;
  cluster_.report(owner, {.reason = "SuccessfulDelete",
                          .message = "Deleted " + words_for(child),
                          .component = component});
  return true;
}

}  // namespace kinf::sandbox
