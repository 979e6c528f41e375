// SPDX-License-Identifier: Apache-2.0
// Claims: binds each PersistentVolumeClaim to the smallest PersistentVolume that fits. If none
// fits, creates a volume, unless the storage class of the claim is empty, unknown or without a
// provisioner. Releases or deletes the volumes of deleted claims.
#include "kinf/sandbox/controllers/cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "kinf/query/quantity.h"
#include "kinf/sandbox/api/object_deletion.h"

namespace kinf::sandbox {
namespace {

constexpr const char* kClaimComponent = "persistentvolume-controller";
constexpr const char* kClaimBinder = "kube-controller-manager";
constexpr const char* kNoProvisioner = "kubernetes.io/no-provisioner";

Quantity size_of(const Json& size) { return parse_quantity(text(size)).value_or(Quantity()); }

/// Returns whether a free volume can serve a claim.
bool fits(const Json& volume, const Json& claim) {
  const Json& offered = field(volume, "spec");
  const Json& wanted = field(claim, "spec");
  if (text(field(offered, "storageClassName")) != text(field(wanted, "storageClassName"))) {
    return false;
  }
  const Json& modes = elements(field(offered, "accessModes"));
  const bool has_modes = std::ranges::all_of(
      elements(field(wanted, "accessModes")),
      [&](const Json& mode) { return std::ranges::find(modes, mode) != modes.end(); });
  return has_modes && size_of(field(offered, "capacity", "storage")) >=
                          size_of(field(wanted, "resources", "requests", "storage"));
}

class Claims : public ClusterController {
 public:
  using ClusterController::ClusterController;

  void observe(const MirrorChange& change) override {
    const std::string& type = change.id.first;
    must_try_ = must_try_ || type == "persistentvolumeclaims" || type == "persistentvolumes" ||
                type == "storageclasses.storage.k8s.io";
  }

  void act() override {
    if (!std::exchange(must_try_, false)) return;
    std::set<std::string> taken;  // volumes that were given away in this call
    for (const auto& [key, claim] : cluster_.mirror().all("persistentvolumeclaims")) {
      const bool is_bound = text(field(claim->json, "status", "phase")) == "Bound";
      if (!is_bound && !is_deleting(claim->json)) serve(claim->json, taken);
    }
    for (const auto& [key, volume] : cluster_.mirror().all("persistentvolumes")) {
      if (!taken.contains(key.name)) update(volume->json);
    }
  }

 private:
  void serve(const Json& claim, std::set<std::string>& taken) {
    StoredPtr volume = find_volume(claim, taken);
    if (volume == nullptr) {
      if (!is_provisioned(claim)) {
        return cluster_.report(claim, {.reason = "FailedBinding",
                                       .message = "no persistent volumes available for this claim "
                                                  "and no storage class is set",
                                       .component = kClaimComponent});
      }
      volume = cluster_.create(new_volume(claim));
      if (volume == nullptr) return;
    }
    taken.insert(volume->key.name);
    bind(claim, volume->json);
  }

  StoredPtr find_volume(const Json& claim, const std::set<std::string>& taken) {
    StoredPtr best;
    const std::string wanted = text(field(claim, "spec", "volumeName"));
    for (const auto& [key, volume] : cluster_.mirror().all("persistentvolumes")) {
      const Json& json = volume->json;
      if (taken.contains(key.name) || is_deleting(json)) continue;
      const std::string owner = text(field(json, "spec", "claimRef", "uid"));
      if (!owner.empty() && owner != uid_of(claim)) continue;
      if (!wanted.empty() ? key.name != wanted : !fits(json, claim)) continue;
      const auto size = [](const StoredPtr& each) {
        return size_of(field(each->json, "spec", "capacity", "storage"));
      };
      if (best == nullptr || size(volume) < size(best)) best = volume;
    }
    return best;
  }

  /// Returns whether a volume is created for a claim that no volume fits. A claim without a storage
  /// class gets one, as in a cluster with a default class.
  bool is_provisioned(const Json& claim) {
    if (!text(field(claim, "spec", "volumeName")).empty()) return false;
    const Json& name = field(claim, "spec", "storageClassName");
    if (name.is_null()) return true;
    const StoredPtr found =
        cluster_.mirror().find("storageclasses.storage.k8s.io", {"", text(name)});
    return found != nullptr && text(field(found->json, "provisioner")) != kNoProvisioner;
  }

  static Json new_volume(const Json& claim) {
    const std::string name = "pvc-" + uid_of(claim);
    Json spec = {
        {"capacity", {{"storage", field(claim, "spec", "resources", "requests", "storage")}}},
        {"accessModes", elements(field(claim, "spec", "accessModes"))},
        {"persistentVolumeReclaimPolicy", "Delete"},
        {"volumeMode", "Filesystem"},
        {"hostPath", {{"path", "/var/lib/kinf/" + name}, {"type", "DirectoryOrCreate"}}}};
    const Json& storage_class = field(claim, "spec", "storageClassName");
    if (!storage_class.is_null()) spec["storageClassName"] = storage_class;
    return {{"apiVersion", "v1"},
            {"kind", "PersistentVolume"},
            {"metadata", {{"name", name}}},
            {"spec", std::move(spec)}};
  }

  void bind(const Json& claim, const Json& volume) {
    const Json name = field(volume, "metadata", "name");
    cluster_.edit("persistentvolumes", volume, [&](Json& current) {
      current["spec"]["claimRef"] = {{"apiVersion", "v1"},
                                     {"kind", "PersistentVolumeClaim"},
                                     {"namespace", field(claim, "metadata", "namespace")},
                                     {"name", field(claim, "metadata", "name")},
                                     {"uid", uid_of(claim)}};
    });
    set_phase("persistentvolumes", volume, "Bound");
    cluster_.edit("persistentvolumeclaims", claim,
                  [&](Json& current) { current["spec"]["volumeName"] = name; });
    cluster_.edit_status(kClaimBinder, "persistentvolumeclaims", claim, [&](Json& current) {
      current["status"] = {{"phase", "Bound"},
                           {"accessModes", field(volume, "spec", "accessModes")},
                           {"capacity", field(volume, "spec", "capacity")}};
    });
  }

  /// Sets the phase of a volume, and deletes it if its claim is gone and its policy says so.
  void update(const Json& volume) {
    const std::string owner = text(field(volume, "spec", "claimRef", "uid"));
    if (owner.empty()) return set_phase("persistentvolumes", volume, "Available");
    if (cluster_.mirror().find_uid(owner) != nullptr) return;
    if (text(field(volume, "status", "phase")) != "Bound") return;
    if (text(field(volume, "spec", "persistentVolumeReclaimPolicy")) == "Delete") {
      cluster_.remove("persistentvolumes", volume);
    } else {
      set_phase("persistentvolumes", volume, "Released");
    }
  }

  void set_phase(const char* type, const Json& object, const char* phase) {
    if (text(field(object, "status", "phase")) == phase) return;
    cluster_.edit_status(kClaimBinder, type, object,
                         [&](Json& current) { object_at(current, "status")["phase"] = phase; });
  }

  bool must_try_ = false;
};

}  // namespace

std::unique_ptr<ClusterController> claims(Cluster& cluster) {
  return std::make_unique<Claims>(cluster);
}

}  // namespace kinf::sandbox
