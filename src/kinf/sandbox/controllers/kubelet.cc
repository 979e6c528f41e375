// SPDX-License-Identifier: Apache-2.0
// Kubelet: runs the life cycles of the pods on the sandbox's nodes. Ignores the pods of other nodes
// and the pods that a scenario drives.
#include "kinf/sandbox/controllers/cluster.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "kinf/sandbox/controllers/nodes.h"
#include "kinf/sandbox/controllers/pod_life.h"
#include "kinf/sandbox/controllers/pod_volumes.h"

namespace kinf::sandbox {
namespace {

std::string node_name(const Json& pod) { return text(field(pod, "spec", "nodeName")); }
std::string address_of(const StoredPtr& pod) {
  return pod == nullptr ? "" : text(field(pod->json, "status", "podIP"));
}

class Kubelet : public ClusterController {
 public:
  explicit Kubelet(Cluster& cluster) : ClusterController(cluster), volumes_(cluster.mirror()) {}

  void observe(const MirrorChange& change) override {
    if (change.id.first == "nodes" && change.now == nullptr) {
      lost_nodes_.insert(change.id.second.name);
    }
    if (change.id.first != "pods") return;
    const std::string before = address_of(change.old);
    const std::string address = address_of(change.now);
    if (before != address) {
      if (!before.empty()) addresses_.erase(addresses_.find(before));
      if (!address.empty()) addresses_.insert(address);
    }
    changed_.insert(change.id.second);
  }

  void act() override {
    for (const std::string& node : std::exchange(lost_nodes_, {})) evict(node);
    for (const ObjectKey& key : std::exchange(changed_, {})) {
      const StoredPtr pod = cluster_.mirror().find("pods", key);
      Resident* resident = pod == nullptr ? nullptr : resident_of(key, *pod);
      if (resident == nullptr) {
        forget(key);
        continue;
      }
      report(resident->life, pod->json);
      schedule(key, *resident);
    }
    const Clock::Mono now = cluster_.now();
    while (!due_.empty() && due_.begin()->first <= now) {
      const ObjectKey key = due_.begin()->second;
      step(key);
    }
  }

  Clock::Mono next() const override { return due_.empty() ? Clock::kNever : due_.begin()->first; }

 private:
  struct Resident {
    PodLife life;
    std::string uid;
    Clock::Mono at = Clock::kNever;  ///< the time of this pod's entry in due_
  };

  /// Returns the entry of a pod, updated to the state `pod`. Returns null if no kubelet runs the
  /// pod.
  Resident* resident_of(const ObjectKey& key, const StoredObject& pod) {
    if (!has_kubelet(cluster_, pod.json)) return nullptr;
    const std::string uid = uid_of(pod.json);
    auto found = residents_.find(key);
    if (found != residents_.end() && found->second.uid != uid) {
      forget(key);
      found = residents_.end();
    }
    if (found != residents_.end()) {
      found->second.life.update(pod.json, cluster_.now());
      return &found->second;
    }
    const StoredPtr host = cluster_.mirror().find("nodes", {"", node_name(pod.json)});
    const std::string host_ip = node_address(host->json);
    const bool shares_network = field(pod.json, "spec", "hostNetwork") == Json(true);
    PodLife life(pod.json, {host_ip, shares_network ? host_ip : free_address(), cluster_.speed()},
                 cluster_.now());
    return &residents_.emplace(key, Resident{std::move(life), uid}).first->second;
  }

  /// Removes the pods of a node that was deleted, as the pod garbage collector of a real cluster
  /// does.
  void evict(const std::string& node) {
    if (cluster_.mirror().find("nodes", {"", node}) != nullptr) return;
    volumes_.forget(node);
    for (const auto& [key, pod] : cluster_.mirror().all("pods")) {
      if (node_name(pod->json) != node || cluster_.is_scripted("pods", pod->json)) continue;
      cluster_.remove("pods", pod->json, 0);
    }
  }

  void step(const ObjectKey& key) {
    Resident& resident = residents_.at(key);
    PodLife& life = resident.life;
    const StoredPtr pod = cluster_.mirror().find("pods", key);
    if (life.needs_volumes()) life.set_mount_problem(volumes_.mount(pod->json));
    life.step(cluster_.now(), cluster_.timestamp());
    if (life.is_over()) {
      cluster_.remove("pods", pod->json, 0);
    } else {
      cluster_.edit_status(kKubeletName, "pods", pod->json,
                           [&](Json& current) { current["status"] = life.status(current); });
    }
    report(life, pod->json);
    schedule(key, resident);
  }

  void report(PodLife& life, const Json& pod) {
    for (const EventDetails& each : life.take_events()) cluster_.report(pod, each);
  }

  void schedule(const ObjectKey& key, Resident& resident) {
    due_.erase({resident.at, key});
    resident.at = resident.life.next();
    if (resident.at != Clock::kNever) due_.insert({resident.at, key});
  }

  void forget(const ObjectKey& key) {
    const auto found = residents_.find(key);
    if (found == residents_.end()) return;
    due_.erase({found->second.at, key});
    cluster_.forget_events(found->second.uid);
    residents_.erase(found);
  }

  std::string free_address() {
    constexpr unsigned kHosts = 254;
    std::string address;
    do {
      last_address_ = (last_address_ + 1) % (256 * kHosts);
      address = fmt::format("10.244.{}.{}", last_address_ / kHosts, last_address_ % kHosts + 1);
    } while (addresses_.contains(address) && addresses_.size() < 256 * kHosts);
    return address;
  }

  PodVolumes volumes_;
  std::map<ObjectKey, Resident> residents_;
  std::set<std::pair<Clock::Mono, ObjectKey>> due_;
  std::set<ObjectKey> changed_;           ///< pods that were changed since the last act()
  std::set<std::string> lost_nodes_;      ///< nodes that were deleted since the last act()
  std::multiset<std::string> addresses_;  ///< IP addresses of all pods
  unsigned last_address_ = 0;
};

}  // namespace

bool has_kubelet(Cluster& cluster, const Json& pod) {
  const std::string node = node_name(pod);
  if (node.empty() || cluster.is_scripted("pods", pod)) return false;
  const StoredPtr found = cluster.mirror().find("nodes", {"", node});
  return found != nullptr && is_sandbox_node(found->json);
}

std::unique_ptr<ClusterController> kubelet(Cluster& cluster) {
  return std::make_unique<Kubelet>(cluster);
}

}  // namespace kinf::sandbox
