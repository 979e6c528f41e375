// SPDX-License-Identifier: Apache-2.0
#include "unit/sandbox/controllers/cluster_world.h"

using namespace kinf;
using namespace kinf::sandbox;
using std::chrono::seconds;

namespace {

constexpr const char* kDaemonType = "daemonsets.apps";
using Lines = std::vector<std::string>;

Json daemon_status(const ClusterWorld& w) { return w.get(kDaemonType, "agent")["status"]; }
/// `NODE IMAGE` of each pod that is not being deleted, sorted.
Lines daemons(const ClusterWorld& w) {
  Lines lines;
  for (const Json& pod : w.all("pods")) {
    if (!pod["metadata"].contains("deletionTimestamp")) {
      lines.push_back(node_of_daemon(pod) + " " + text(pod["spec"]["containers"][0]["image"]));
    }
  }
  std::ranges::sort(lines);
  return lines;
}
void set_daemon_image(ClusterWorld& w, const char* image) {
  w.change(kDaemonType, "agent",
           [&](Json& set) { set["spec"]["template"]["spec"]["containers"][0]["image"] = image; });
}

}  // namespace

TEST_CASE("a DaemonSet has a pod on each node") {
  ClusterWorld w(3);
  w.create_set("DaemonSet", "agent", 0);
  CHECK(daemon_status(w)["desiredNumberScheduled"] == 3);
  CHECK(daemon_status(w)["numberUnavailable"] == 3);
  w.pass(seconds(5));
  CHECK(daemons(w) == Lines{"node-1 image:1", "node-2 image:1", "node-3 image:1"});
  CHECK(daemon_status(w)["numberAvailable"] == 3);
  CHECK(daemon_status(w)["updatedNumberScheduled"] == 3);
  w.add(sandbox_node(4, w.objects.timestamp()));
  w.pass(seconds(5));
  CHECK(daemons(w).size() == 4);
  w.remove("nodes", "node-4");
  w.pass(seconds(5));
  CHECK(daemons(w).size() == 3);
  CHECK(daemon_status(w)["desiredNumberScheduled"] == 3);
}

TEST_CASE("cordons and NoSchedule taints keep daemons, other taints and selectors remove them") {
  ClusterWorld w(3);
  w.create_set("DaemonSet", "agent", 0);
  w.pass(seconds(5));
  w.change("nodes", "node-1", [](Json& node) { node["spec"]["unschedulable"] = true; });
  w.change("nodes", "node-2",
           [](Json& node) { node["spec"]["taints"] = {{{"key", "a"}, {"effect", "NoSchedule"}}}; });
  w.change("nodes", "node-3",
           [](Json& node) { node["spec"]["taints"] = {{{"key", "a"}, {"effect", "NoExecute"}}}; });
  w.pass(seconds(60));
  CHECK(daemons(w) == Lines{"node-1 image:1", "node-2 image:1"});
  CHECK(daemon_status(w)["desiredNumberScheduled"] == 1);
  CHECK(daemon_status(w)["numberMisscheduled"] == 1);
  w.change(kDaemonType, "agent", [](Json& set) {
    set["spec"]["template"]["spec"]["nodeSelector"] = {{"kubernetes.io/hostname", "node-2"}};
    set["spec"]["template"]["spec"]["tolerations"] = {{{"operator", "Exists"}}};
  });
  w.pass(seconds(60));
  CHECK(daemons(w) == Lines{"node-2 image:1"});
}

TEST_CASE("an update replaces one daemon after the other") {
  ClusterWorld w(3);
  w.create_set("DaemonSet", "agent", 0);
  w.pass(seconds(5));
  set_daemon_image(w, "image:2");
  for (int i = 0; i < 300; ++i) {
    w.pass(std::chrono::milliseconds(100));
    CHECK(std::ranges::count_if(w.all("pods"), is_ready_pod) >= 2);
  }
  w.pass(seconds(100));
  CHECK(daemons(w) == Lines{"node-1 image:2", "node-2 image:2", "node-3 image:2"});
  CHECK(daemon_status(w)["updatedNumberScheduled"] == 3);
  CHECK(daemon_status(w)["observedGeneration"] == 2);
}

TEST_CASE("with maxSurge a new pod starts beside the old one, which ends when it is available") {
  ClusterWorld w(3);
  const Json limits = {{"maxSurge", 1}, {"maxUnavailable", 0}};
  w.create_set("DaemonSet", "agent", 0,
               {{"updateStrategy", {{"type", "RollingUpdate"}, {"rollingUpdate", limits}}}});
  w.pass(seconds(5));
  set_daemon_image(w, "image:2");
  CHECK(daemons(w).size() == 4);
  for (int i = 0; i < 300; ++i) {
    w.pass(std::chrono::milliseconds(100));
    CHECK(std::ranges::count_if(w.all("pods"), is_ready_pod) >= 3);
    CHECK(daemons(w).size() <= 4);
  }
  w.pass(seconds(100));
  CHECK(daemons(w) == Lines{"node-1 image:2", "node-2 image:2", "node-3 image:2"});
}

TEST_CASE("OnDelete replaces only deleted daemons") {
  ClusterWorld w(2);
  w.create_set("DaemonSet", "agent", 0, {{"updateStrategy", {{"type", "OnDelete"}}}});
  w.pass(seconds(5));
  set_daemon_image(w, "image:2");
  w.pass(seconds(60));
  CHECK(daemons(w) == Lines{"node-1 image:1", "node-2 image:1"});
  for (const Json& pod : w.all("pods")) {
    if (node_of_daemon(pod) == "node-1") w.remove("pods", text(pod["metadata"]["name"]));
  }
  w.pass(seconds(60));
  CHECK(daemons(w) == Lines{"node-1 image:2", "node-2 image:1"});
}

TEST_CASE("a daemon that has failed is replaced") {
  ClusterWorld w;
  w.create_set("DaemonSet", "agent", 0);
  w.pass(seconds(5));
  const std::string name = text(w.all("pods").front()["metadata"]["name"]);
  w.change("pods", name, [](Json& pod) { pod["status"]["phase"] = "Failed"; });
  w.pass(seconds(60));
  CHECK(daemons(w) == Lines{"node-1 image:1"});
  CHECK(w.pod_named(name).is_null());
  CHECK(std::ranges::count(w.reasons("agent"), "FailedDaemonPod") == 1);
}

TEST_CASE("pods on nodes of another runtime are left alone") {
  ClusterWorld w(1);
  w.add({{"apiVersion", "v1"},
         {"kind", "Node"},
         {"metadata", {{"name", "real"}}},
         {"status", {{"nodeInfo", {{"containerRuntimeVersion", "containerd://2.1"}}}}}});
  w.create_set("DaemonSet", "agent", 0);
  w.pass(seconds(5));
  CHECK(daemons(w) == Lines{"node-1 image:1"});
  CHECK(daemon_status(w)["desiredNumberScheduled"] == 1);
}

TEST_CASE("a node that no kubelet has reported gets a pod that waits") {
  ClusterWorld w(1);
  w.add({{"apiVersion", "v1"}, {"kind", "Node"}, {"metadata", {{"name", "bare"}}}});
  w.create_set("DaemonSet", "agent", 0);
  w.pass(seconds(5));
  CHECK(daemons(w) == Lines{"bare image:1", "node-1 image:1"});
  CHECK(daemon_status(w)["numberReady"] == 1);
}

TEST_CASE("the templates of a DaemonSet are counted in an annotation and on its pods") {
  ClusterWorld w(1);
  w.create_set("DaemonSet", "agent", 0);
  const auto count = [&] {
    return text(
        w.get(kDaemonType,
              "agent")["metadata"]["annotations"]["deprecated.daemonset.template.generation"]);
  };
  CHECK(count() == "1");
  CHECK(w.all("pods").front()["metadata"]["labels"]["pod-template-generation"] == "1");
  w.change(kDaemonType, "agent", [](Json& set) { set["spec"]["minReadySeconds"] = 1; });
  CHECK(count() == "1");
  set_daemon_image(w, "image:2");
  CHECK(count() == "2");
}
