// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/pod_volumes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace kinf::sandbox {
namespace {

constexpr std::string_view kDirectories[] = {"/",
                                             "/bin",
                                             "/boot",
                                             "/dev",
                                             "/etc",
                                             "/etc/cni/net.d",
                                             "/etc/kubernetes",
                                             "/home",
                                             "/lib",
                                             "/mnt",
                                             "/opt",
                                             "/opt/cni/bin",
                                             "/etc/ssl/certs",
                                             "/proc",
                                             "/root",
                                             "/run",
                                             "/srv",
                                             "/sys",
                                             "/sys/fs/cgroup",
                                             "/lib/modules",
                                             "/tmp",
                                             "/usr",
                                             "/var",
                                             "/var/lib",
                                             "/var/lib/kubelet",
                                             "/var/log",
                                             "/var/log/containers",
                                             "/var/log/pods",
                                             "/var/run"};
/// How many directories the pods can create on one node.
constexpr std::size_t kDirectoriesPerNode = 10'000;

/// Returns a path without slashes at its end.
std::string trimmed(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

}  // namespace

std::string PodVolumes::mount(const Json& pod) {
  const std::string node = text(field(pod, "spec", "nodeName"));
  for (const Json& volume : elements(field(pod, "spec", "volumes"))) {
    const std::string name = text(field(volume, "name"));
    const std::string claim = text(field(volume, "persistentVolumeClaim", "claimName"));
    std::string problem;
    if (!claim.empty()) {
      problem = mount_claim(node, text(field(pod, "metadata", "namespace")), name, claim);
    } else {
      problem = mount_path(node, name, field(volume, "hostPath"));
    }
    if (!problem.empty()) return problem;
  }
  return "";
}

std::string PodVolumes::mount_claim(const std::string& node, const std::string& ns,
                                    const std::string& name, const std::string& claim) {
  const StoredPtr found = mirror_.find("persistentvolumeclaims", {ns, claim});
  if (found == nullptr) return fmt::format("persistentvolumeclaim \"{}\" not found", claim);
  if (text(field(found->json, "status", "phase")) != "Bound") {
    return fmt::format(
        "Unable to attach or mount volumes: unmounted volumes=[{0}]: PVC {1}/{2} is "
        "not bound",
        name, ns, claim);
  }
  const std::string volume = text(field(found->json, "spec", "volumeName"));
  const StoredPtr bound = mirror_.find("persistentvolumes", {"", volume});
  if (bound == nullptr) return fmt::format("persistentvolume \"{}\" not found", volume);
  const std::string local = text(field(bound->json, "spec", "local", "path"));
  if (!local.empty() && !has_directory(node, trimmed(local))) {
    return fmt::format(
        "MountVolume.NewMounter initialization failed for volume \"{}\" : path "
        "\"{}\" does not exist",
        volume, local);
  }
  return mount_path(node, volume, field(bound->json, "spec", "hostPath"));
}

std::string PodVolumes::mount_path(const std::string& node, const std::string& name,
                                   const Json& host_path) {
  const std::string path = trimmed(text(field(host_path, "path")));
  const std::string type = text(field(host_path, "type"));
  if (path.empty()) return "";
  if (type == "Directory" && !has_directory(node, path)) {
    return fmt::format(
        "MountVolume.SetUp failed for volume \"{}\" : hostPath type check failed: {} "
        "is not a directory",
        name, path);
  }
  std::set<std::string>& created = created_[node];
  if ((type.empty() || type == "DirectoryOrCreate") && created.size() < kDirectoriesPerNode) {
    created.insert(path);
  }
  return "";
}

bool PodVolumes::has_directory(const std::string& node, const std::string& path) const {
  if (std::ranges::find(kDirectories, path) != std::end(kDirectories)) return true;
  const auto found = created_.find(node);
  if (found == created_.end()) return false;
  // "0" follows "/", so the range has what is below the path.
  const std::set<std::string>& created = found->second;
  return created.contains(path) ||
         created.lower_bound(path + "/") != created.lower_bound(path + "0");
}

}  // namespace kinf::sandbox
