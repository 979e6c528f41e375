// SPDX-License-Identifier: Apache-2.0
#include "unit/sandbox/controllers/cluster_world.h"

using namespace kinf::sandbox;
using std::chrono::seconds;

namespace {

Json status(const ClusterWorld& w, const std::string& name) {
  return w.get("replicasets.apps", name)["status"];
}

}  // namespace

TEST_CASE("a ReplicaSet has the pods that it asks for, and replaces those that go") {
  ClusterWorld w;
  w.create_set("ReplicaSet", "web", 3);
  w.pass(seconds(5));
  REQUIRE(w.all("pods").size() == 3);
  CHECK(status(w, "web")["readyReplicas"] == 3);
  CHECK(status(w, "web")["availableReplicas"] == 3);
  CHECK(status(w, "web")["fullyLabeledReplicas"] == 3);
  const Json first = w.all("pods").front();
  CHECK(text(field(first, "metadata", "name")).starts_with("web-"));
  CHECK(controller_reference(first)["name"] == "web");
  w.remove("pods", text(first["metadata"]["name"]));
  w.pass(seconds(10));
  CHECK(w.all("pods").size() == 3);
  CHECK(w.reasons("web") == std::vector<std::string>(4, "SuccessfulCreate"));
}

TEST_CASE("a smaller ReplicaSet deletes pods that are not ready first") {
  ClusterWorld w;
  w.create_set("ReplicaSet", "web", 2);
  w.pass(seconds(5));
  std::vector<std::string> ready;
  for (const Json& pod : w.all("pods")) ready.push_back(text(pod["metadata"]["name"]));
  w.change("replicasets.apps", "web", [](Json& set) { set["spec"]["replicas"] = 4; });
  w.change("replicasets.apps", "web", [](Json& set) { set["spec"]["replicas"] = 2; });
  w.pass(seconds(5));
  std::vector<std::string> left;
  for (const Json& pod : w.all("pods")) left.push_back(text(pod["metadata"]["name"]));
  CHECK(left == ready);
  CHECK(status(w, "web")["replicas"] == 2);
}

TEST_CASE("a pod that loses its labels is released and replaced, and an orphan is adopted") {
  ClusterWorld w;
  w.create_set("ReplicaSet", "web", 1);
  const std::string name = text(w.all("pods").front()["metadata"]["name"]);
  w.change("pods", name, [](Json& pod) { pod["metadata"]["labels"]["app"] = "debug"; });
  w.pass(seconds(5));
  CHECK(w.all("pods").size() == 2);
  CHECK(controller_reference(w.pod_named(name)).is_null());
  w.change("replicasets.apps", "web", [](Json& set) { set["spec"]["replicas"] = 2; });
  w.change("pods", name, [](Json& pod) { pod["metadata"]["labels"]["app"] = "web"; });
  w.pass(seconds(5));
  CHECK(controller_reference(w.pod_named(name))["name"] == "web");
  CHECK(w.all("pods").size() == 2);
}

TEST_CASE("pods count as available after minReadySeconds") {
  ClusterWorld w;
  w.create_set("ReplicaSet", "web", 1, {{"minReadySeconds", 30}});
  w.pass(seconds(10));
  CHECK(status(w, "web")["readyReplicas"] == 1);
  CHECK_FALSE(status(w, "web").contains("availableReplicas"));
  w.pass(seconds(30));
  CHECK(status(w, "web")["availableReplicas"] == 1);
}

TEST_CASE("a set without a selector selects nothing") {
  ClusterWorld w;
  w.create(w.pod("alone"));
  CHECK_FALSE(selects(selector_of(Json::object()), w.pod_named("alone")));
  CHECK_FALSE(
      selects(selector_of({{"spec", {{"selector", Json::object()}}}}), w.pod_named("alone")));
}
