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

/// Returns `pod: NAME` or `job NAME`, as the real controllers write in their Events.
std::string words_for(const StoredObject& child) {
  const bool is_job = text(field(child.json, "kind")) == "Job";
  return fmt::format("{} {}", is_job ? "job" : "pod:", child.key.name);
}

}  // namespace

Json controller_reference_to(const Json& owner) {
  return {{"apiVersion", field(owner, "apiVersion")},
          {"kind", field(owner, "kind")},
          {"name", name_of(owner)},
          {"uid", uid_of(owner)},
          {"controller", true},
          {"blockOwnerDeletion", true}};
}

LabelSelector selector_of(const Json& owner) {
  const Json& selector = field(owner, "spec", "selector");
  if (!selector.is_object() || selector.empty()) return LabelSelector::nothing();
  const Result<LabelSelector> parsed = LabelSelector::parse(columns::selector_text(selector));
  return parsed && !parsed->empty() ? *parsed : LabelSelector::nothing();
}

bool has_ended(const Json& pod) {
  const std::string phase = text(field(pod, "status", "phase"));
  return phase == "Succeeded" || phase == "Failed";
}

bool is_active_pod(const Json& pod) { return !has_ended(pod) && !is_deleting(pod); }

bool is_leaving_pod(const Json& pod) { return !has_ended(pod) && is_deleting(pod); }

bool is_ready_pod(const Json& pod) { return holds(pod, "Ready"); }

void sort_for_deletion(std::vector<StoredPtr>& pods) {
  std::ranges::stable_sort(pods, {}, [](const StoredPtr& pod) {
    const Json& json = pod->json;
    const std::string phase = text(field(json, "status", "phase"));
    return std::tuple(!text(field(json, "spec", "nodeName")).empty(), phase == "Running",
                      is_ready_pod(json), UINT64_MAX - pod->version);
  });
}

Json pod_of_template(const Json& owner, const Json& pod_template) {
  Json metadata = {{"generateName", name_of(owner) + "-"},
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

void set_count(Json& status, const char* key, std::int64_t count) {
  if (count > 0) status[key] = count;
}

OwnerLoop::OwnerLoop(Cluster& cluster, std::string type, std::string child, std::string component,
                     bool adopts)
    : ClusterController(cluster),
      type_(std::move(type)),
      child_(std::move(child)),
      component_(std::move(component)),
      adopts_(adopts) {}

void OwnerLoop::observe(const MirrorChange& change) {
  const auto& [type, key] = change.id;
  if (type == type_) {
    dirty_.insert(key);
    if (const std::string gone = change.gone_uid(); !gone.empty()) {
      cluster_.forget_events(gone);
      forget(gone);
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
  std::erase_if(later_, [&, now = cluster_.now()](const auto& entry) {
    const bool is_due = entry.second <= now;
    if (is_due) dirty_.insert(entry.first);
    return is_due;
  });
  for (const ObjectKey& key : std::exchange(dirty_, {})) {
    const StoredPtr owner = cluster_.mirror().find(type_, key);
    if (owner != nullptr && !cluster_.is_scripted(type_, owner->json)) reconcile(owner->json);
  }
}

Clock::Mono OwnerLoop::next() const {
  Clock::Mono first = Clock::kNever;
  for (const auto& [key, at] : later_) first = std::min(first, at);
  return first;
}

void OwnerLoop::again_after(const Json& owner, Cluster::Seconds delay) {
  plan(key_of(owner), cluster_.now() + cluster_.scaled(delay));
}

bool OwnerLoop::has_passed(const Json& owner, Clock::Mono begin, Cluster::Seconds delay) {
  const Clock::Mono at = begin + cluster_.scaled(delay);
  if (at <= cluster_.now()) return true;
  plan(key_of(owner), at);
  return false;
}

bool OwnerLoop::is_available(const Json& owner, const Json& pod) {
  if (!is_ready_pod(pod)) return false;
  const std::chrono::seconds least(integer_or(field(owner, "spec", "minReadySeconds"), 0));
  const Json& since = field(condition_of(pod, "Ready"), "lastTransitionTime");
  return has_passed(owner, cluster_.mono_time(since), least);
}

void OwnerLoop::touch_all() {
  for (const auto& [key, owner] : cluster_.mirror().all(type_)) dirty_.insert(key);
}

void OwnerLoop::plan(const ObjectKey& key, Clock::Mono at) {
  const auto [entry, is_new] = later_.try_emplace(key, at);
  if (!is_new) entry->second = std::min(entry->second, at);
}

std::vector<StoredPtr> OwnerLoop::children(const Json& owner) {
  if (adopts_ && !is_deleting(owner)) adopt(owner);
  std::vector<StoredPtr> mine = cluster_.mirror().controlled(child_, uid_of(owner));
  if (adopts_) {
    const LabelSelector selector = selector_of(owner);
    std::erase_if(mine, [&](const StoredPtr& child) { return !selects(selector, child->json); });
  }
  return mine;
}

/// Adopts orphans that match, and releases children that no longer match.
void OwnerLoop::adopt(const Json& owner) {
  const LabelSelector selector = selector_of(owner);
  for (const StoredPtr& child : cluster_.mirror().controlled(child_, uid_of(owner))) {
    if (!selects(selector, child->json)) set_owned(owner, *child, false);
  }
  const std::string ns = key_of(owner).ns;
  for (auto each = orphans_.lower_bound({ns, ""}); each != orphans_.end() && each->ns == ns;
       ++each) {
    const StoredPtr child = cluster_.mirror().find(child_, *each);
    if (child != nullptr && selects(selector, child->json)) set_owned(owner, *child, true);
  }
}

/// Adds or removes the child's reference to its owner.
void OwnerLoop::set_owned(const Json& owner, const StoredObject& child, bool is_owned) {
  if (is_deleting(child.json) || cluster_.is_scripted(child_, child.json)) return;
  cluster_.edit(child_, child.json, [&](Json& current) {
    drop_items(current, "ownerReferences",
               [&](const Json& each) { return text(field(each, "uid")) == uid_of(owner); });
    if (is_owned) {
      current["metadata"]["ownerReferences"].push_back(controller_reference_to(owner));
    }
  });
}

void OwnerLoop::write_status(const Json& owner, const Json& status) {
  if (is_same(field(owner, "status"), status)) return;
  cluster_.edit_status(kControllerManager, type_, owner,
                       [&](Json& current) { current["status"] = status; });
}

StoredPtr OwnerLoop::create_child(const Json& owner, Json child) {
  child["metadata"]["ownerReferences"] = Json::array({controller_reference_to(owner)});
  StoredPtr created = cluster_.create(std::move(child));
  if (created != nullptr) report(owner, "SuccessfulCreate", "Created " + words_for(*created));
  return created;
}

bool OwnerLoop::delete_child(const Json& owner, const StoredObject& child) {
  if (!cluster_.remove(child_, child.json)) return false;
  report(owner, "SuccessfulDelete", "Deleted " + words_for(child));
  return true;
}

void OwnerLoop::report(const Json& owner, std::string reason, std::string message,
                       const char* type) {
  cluster_.report(owner, {type, std::move(reason), std::move(message), component_});
}

}  // namespace kinf::sandbox
