// SPDX-License-Identifier: Apache-2.0
#include "unit/sandbox/controllers/cluster_world.h"

using namespace kinf::sandbox;

namespace {

std::string node_of(const ClusterWorld& w, const std::string& pod) {
  return text(field(w.pod_named(pod), "spec", "nodeName"));
}

std::string problem_of(const ClusterWorld& w, const std::string& pod) {
  const Json found = w.pod_named(pod);
  for (const Json& each : elements(field(found, "status", "conditions"))) {
    if (each["type"] == "PodScheduled") return text(field(each, "message"));
  }
  return "";
}

}  // namespace

TEST_CASE("pods are spread over the nodes") {
  ClusterWorld w(3);
  std::map<std::string, int> count;
  for (int i = 0; i < 9; ++i) {
    w.create(w.pod("p" + std::to_string(i)));
    ++count[node_of(w, "p" + std::to_string(i))];
  }
  CHECK(count == std::map<std::string, int>{{"node-1", 3}, {"node-2", 3}, {"node-3", 3}});
}

TEST_CASE("pods that are created together are spread over the nodes, too") {
  ClusterWorld w(2);
  for (int i = 0; i < 4; ++i) w.add(w.pod("p" + std::to_string(i)));
  w.settle();
  CHECK(node_of(w, "p0") == "node-1");
  CHECK(node_of(w, "p1") == "node-2");
  CHECK(node_of(w, "p3") == "node-2");
}

TEST_CASE("a pod waits for a node, and says why") {
  ClusterWorld w(0);
  w.create(w.pod("web"));
  CHECK(problem_of(w, "web") == "no nodes available to schedule pods");
  CHECK(w.reasons("web") == std::vector<std::string>{"FailedScheduling"});
  w.add(sandbox_node(1, w.objects.timestamp()));
  w.settle();
  CHECK(node_of(w, "web") == "node-1");
}

TEST_CASE("cordons, taints and node selectors keep pods away") {
  ClusterWorld w(3);
  w.change("nodes", "node-1", [](Json& node) { node["spec"]["unschedulable"] = true; });
  w.change("nodes", "node-2", [](Json& node) {
    node["spec"]["taints"] = {{{"key", "gpu"}, {"value", "yes"}, {"effect", "NoSchedule"}}};
  });
  w.create(w.pod("plain"));
  CHECK(node_of(w, "plain") == "node-3");
  w.create(w.pod("tolerant", {{"tolerations", {{{"key", "gpu"}, {"operator", "Exists"}}}},
                              {"nodeSelector", {{"kubernetes.io/hostname", "node-2"}}}}));
  CHECK(node_of(w, "tolerant") == "node-2");
  w.create(w.pod("picky", {{"nodeSelector", {{"disk", "ssd"}}}}));
  CHECK(problem_of(w, "picky") ==
        "0/3 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) "
        "had untolerated taint {gpu: yes}, 1 node(s) were unschedulable.");
  w.change("nodes", "node-3", [](Json& node) { node["metadata"]["labels"]["disk"] = "ssd"; });
  CHECK(node_of(w, "picky") == "node-3");
}

TEST_CASE("pods with a gate or another scheduler are left alone") {
  ClusterWorld w;
  w.create(w.pod("other", {{"schedulerName", "mine"}}));
  w.create(w.pod("gated", {{"schedulingGates", {{{"name", "later"}}}}}));
  CHECK(node_of(w, "other").empty());
  CHECK(problem_of(w, "gated") == "Scheduling is blocked due to non-empty scheduling gates");
  w.change("pods", "gated", [](Json& pod) { pod["spec"].erase("schedulingGates"); });
  CHECK(node_of(w, "gated") == "node-1");
}
