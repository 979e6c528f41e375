// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/live_cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kinf/base/ascii.h"
#include "kinf/demo/stage.h"

namespace kinf {
namespace {

constexpr std::size_t kChangesKept = 100;

ObjectPtr live_pod(int number, std::uint64_t version, std::string_view phase, bool is_labelled) {
  return object_from(fmt::format(
      R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"pod-{0}","namespace":"default",)"
      R"("uid":"uid-{0}","resourceVersion":"{1}"{3}}},"status":{{"phase":"{2}"}}}})",
      number, version, phase, is_labelled ? R"(,"labels":{"checked":"yes"})" : ""));
}

}  // namespace

void LiveCluster::change(WatchEventType type, int number, std::string_view phase,
                         bool is_labelled) {
  WatchEvent event;
  event.type = type;
  event.object = live_pod(number, ++version_, phase, is_labelled);
  event.resource_version = event.object->resource_version();
  if (type == WatchEventType::deleted) {
    pods_.erase(number);
  } else {
    pods_[number] = event.object;
  }
  history_.push_back(std::move(event));
  if (history_.size() <= kChangesKept) return;
  oldest_ = version_of(*history_.front().object);
  history_.pop_front();
}

std::string LiveCluster::add_pod() {
  change(WatchEventType::added, ++last_pod_, "Pending", false);
  return fmt::format("pod-{}", last_pod_);
}

std::string LiveCluster::update_pod() {
  if (pods_.empty()) return "";
  const auto [number, pod] = *std::ranges::min_element(
      pods_, {}, [](const auto& entry) { return version_of(*entry.second); });
  change(WatchEventType::modified, number, phase_of(*pod) == "Running" ? "Failed" : "Running",
         has_checked_label(*pod));
  return std::string(pod->name());
}

std::string LiveCluster::delete_pod() {
  if (pods_.empty()) return "";
  const auto [number, pod] = *pods_.begin();
  change(WatchEventType::deleted, number, phase_of(*pod), has_checked_label(*pod));
  return std::string(pod->name());
}

void LiveCluster::label_pod(std::string_view name) {
  const auto found =
      std::ranges::find_if(pods_, [&](const auto& entry) { return entry.second->name() == name; });
  if (found == pods_.end()) return;
  change(WatchEventType::modified, found->first, phase_of(*found->second), true);
}

void LiveCluster::forget_changes() {
  oldest_ = version_;
  history_.clear();
}

std::vector<ObjectPtr> LiveCluster::pods() const {
  std::vector<ObjectPtr> pods;
  for (const auto& [number, pod] : pods_) pods.push_back(pod);
  return pods;
}

const WatchEvent* LiveCluster::change_after(std::uint64_t version) const {
  const auto found = std::ranges::find_if(
      history_, [&](const WatchEvent& event) { return version_of(*event.object) > version; });
  return found == history_.end() ? nullptr : &*found;
}

bool has_checked_label(const Object& pod) { return pod.label("checked").has_value(); }

std::uint64_t version_of(const Object& object) {
  return parse_number<std::uint64_t>(object.resource_version()).value_or(0);
}

}  // namespace kinf
