// SPDX-License-Identifier: Apache-2.0
#include "unit/sandbox/controllers/cluster_world.h"

using namespace kinf::sandbox;
using std::chrono::seconds;

namespace {

constexpr const char* kType = "deployments.apps";

void set_image(ClusterWorld& w, const char* image) {
  w.change(kType, "web", [&](Json& deployment) {
    deployment["spec"]["template"]["spec"]["containers"][0]["image"] = image;
  });
}
/// `image replicas revision` of each ReplicaSet, sorted by revision.
std::vector<std::string> sets(const ClusterWorld& w) {
  std::vector<std::string> lines;
  for (const Json& set : w.all("replicasets.apps")) {
    const std::string revision =
        text(set["metadata"]["annotations"]["deployment.kubernetes.io/revision"]);
    const Json& spec = set["spec"];
    lines.push_back(revision + " " + text(spec["template"]["spec"]["containers"][0]["image"]) +
                    " " + spec["replicas"].dump());
  }
  std::ranges::sort(lines);
  return lines;
}
Json status(const ClusterWorld& w) { return w.get(kType, "web")["status"]; }
std::string condition(const ClusterWorld& w, const std::string& type) {
  const Json found = status(w);
  for (const Json& each : elements(field(found, "conditions"))) {
    if (each["type"] == type) return text(each["status"]) + " " + text(each["reason"]);
  }
  return "";
}
using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("a Deployment creates a ReplicaSet with its pods") {
  ClusterWorld w;
  w.create_set("Deployment", "web", 3);
  CHECK(condition(w, "Available") == "False MinimumReplicasUnavailable");
  CHECK(condition(w, "Progressing") == "True ReplicaSetUpdated");
  w.pass(seconds(5));
  CHECK(sets(w) == Lines{"1 image:1 3"});
  const Json set = w.all("replicasets.apps").front();
  const std::string hash = text(set["metadata"]["labels"]["pod-template-hash"]);
  CHECK(set["metadata"]["name"] == "web-" + hash);
  CHECK(set["spec"]["selector"]["matchLabels"]["pod-template-hash"] == hash);
  CHECK(w.all("pods").front()["metadata"]["labels"]["pod-template-hash"] == hash);
  CHECK(status(w)["availableReplicas"] == 3);
  CHECK(condition(w, "Available") == "True MinimumReplicasAvailable");
  CHECK(condition(w, "Progressing") == "True NewReplicaSetAvailable");
  CHECK(w.reasons("web") == Lines{"ScalingReplicaSet"});
}

TEST_CASE("a Deployment reports its new set first, then the progress of the set") {
  ClusterWorld w;
  w.create_set("Deployment", "web", 1);
  w.pass(seconds(5));
  const Lines states = w.history(kType, "web", [](const Json& deployment) {
    std::string line;
    for (const Json& each : elements(field(deployment, "status", "conditions"))) {
      line += " " + text(each["reason"]);
    }
    return line;
  });
  CHECK(states == Lines{"ADDED ", "MODIFIED  NewReplicaSetCreated",
                        "MODIFIED  NewReplicaSetCreated MinimumReplicasUnavailable",
                        "MODIFIED  MinimumReplicasUnavailable ReplicaSetUpdated",
                        "MODIFIED  MinimumReplicasAvailable NewReplicaSetAvailable"});
}

TEST_CASE("a rolling update never has too few or too many pods") {
  ClusterWorld w;
  w.create_set("Deployment", "web", 4);
  w.pass(seconds(5));
  set_image(w, "image:2");
  for (int i = 0; i < 300 && sets(w).back() != "2 image:2 4"; ++i) {
    w.pass(std::chrono::milliseconds(100));
    int ready = 0;
    int present = 0;
    for (const Json& pod : w.all("pods")) {
      if (!is_active_pod(pod)) continue;
      ready += is_ready_pod(pod) ? 1 : 0;
      ++present;
    }
    CHECK(ready >= 3);
    CHECK(present <= 5);
  }
  w.pass(seconds(10));
  CHECK(sets(w) == Lines{"1 image:1 0", "2 image:2 4"});
  CHECK(w.all("pods").size() == 4);
  CHECK(w.get(kType, "web")["metadata"]["annotations"]["deployment.kubernetes.io/revision"] == "2");
}

TEST_CASE("going back to an old template reuses its ReplicaSet with a new revision") {
  ClusterWorld w;
  w.create_set("Deployment", "web", 2);
  w.pass(seconds(5));
  set_image(w, "image:2");
  w.pass(seconds(20));
  w.change(kType, "web", [](Json& deployment) {
    Json& pod_template = deployment["spec"]["template"];
    pod_template["spec"]["containers"][0]["image"] = "image:1";
    pod_template["metadata"]["creationTimestamp"] = nullptr;  // as kubectl rollout undo sends it
  });
  w.pass(seconds(20));
  CHECK(sets(w) == Lines{"2 image:2 0", "3 image:1 2"});
}

TEST_CASE("scaling changes the only set, and both sets of a rollout in proportion") {
  ClusterWorld w;
  w.create_set("Deployment", "web", 1);
  w.change(kType, "web", [](Json& deployment) { deployment["spec"]["replicas"] = 5; });
  w.pass(seconds(5));
  CHECK(sets(w) == Lines{"1 image:1 5"});
  w.change(kType, "web", [](Json& deployment) { deployment["spec"]["replicas"] = 2; });
  w.pass(seconds(5));
  CHECK(sets(w) == Lines{"1 image:1 2"});
  CHECK(w.all("pods").size() == 2);
  w.change(kType, "web", [](Json& deployment) { deployment["spec"]["replicas"] = 0; });
  w.pass(seconds(5));
  CHECK(w.all("pods").empty());
}

TEST_CASE("Recreate ends all old pods before it starts new ones") {
  ClusterWorld w;
  w.create_set("Deployment", "web", 2, {{"strategy", {{"type", "Recreate"}}}});
  w.pass(seconds(5));
  set_image(w, "image:2");
  for (int i = 0; i < 40; ++i) {
    w.pass(std::chrono::milliseconds(100));
    std::set<std::string> images;
    for (const Json& pod : w.all("pods")) {
      if (is_active_pod(pod)) images.insert(text(pod["spec"]["containers"][0]["image"]));
    }
    CHECK(images.size() <= 1);
  }
  w.pass(seconds(10));
  CHECK(sets(w) == Lines{"1 image:1 0", "2 image:2 2"});
}

TEST_CASE("a rollout without progress exceeds its deadline") {
  ClusterWorld w(0);
  w.create_set("Deployment", "web", 1, {{"progressDeadlineSeconds", 60}});
  w.pass(seconds(59));
  CHECK(condition(w, "Progressing") == "True ReplicaSetUpdated");
  w.pass(seconds(2));
  CHECK(condition(w, "Progressing") == "False ProgressDeadlineExceeded");
}

TEST_CASE("a paused Deployment scales but does not roll") {
  ClusterWorld w;
  w.create_set("Deployment", "web", 1);
  w.change(kType, "web", [](Json& deployment) { deployment["spec"]["paused"] = true; });
  set_image(w, "image:2");
  w.change(kType, "web", [](Json& deployment) { deployment["spec"]["replicas"] = 2; });
  w.pass(seconds(10));
  CHECK(sets(w) == Lines{"1 image:1 2"});
  CHECK(condition(w, "Progressing") == "Unknown DeploymentPaused");
  w.change(kType, "web", [](Json& deployment) { deployment["spec"].erase("paused"); });
  w.pass(seconds(20));
  CHECK(sets(w) == Lines{"1 image:1 0", "2 image:2 2"});
}

TEST_CASE("a set that becomes the newest again notes its earlier revisions") {
  ClusterWorld w;
  w.create_set("Deployment", "web", 1);
  for (const char* image : {"image:2", "image:1", "image:2", "image:1"}) {
    w.pass(seconds(30));
    set_image(w, image);
  }
  for (const Json& set : w.all("replicasets.apps")) {
    const Json& annotations = set["metadata"]["annotations"];
    const bool is_newest = annotations["deployment.kubernetes.io/revision"] == "5";
    CHECK(annotations["deployment.kubernetes.io/revision-history"] == (is_newest ? "1,3" : "2"));
  }
}

TEST_CASE("terminating pods count in the status of the set and of the Deployment") {
  ClusterWorld w;
  w.create_set("Deployment", "web", 3);
  w.pass(seconds(5));
  CHECK(status(w)["terminatingReplicas"] == 0);
  w.change(kType, "web", [](Json& deployment) { deployment["spec"]["replicas"] = 1; });
  CHECK(status(w)["terminatingReplicas"] == 2);
  CHECK(w.all("replicasets.apps").front()["status"]["terminatingReplicas"] == 2);
  w.pass(seconds(60));
  CHECK(status(w)["terminatingReplicas"] == 0);
}

TEST_CASE("a finished Deployment stays finished while it is created anew") {
  ClusterWorld w;
  w.create_set("Deployment", "web", 2, {{"strategy", {{"type", "Recreate"}}}});
  w.pass(seconds(5));
  set_image(w, "image:2");
  CHECK(condition(w, "Available") == "False MinimumReplicasUnavailable");
  CHECK(condition(w, "Progressing") == "True NewReplicaSetAvailable");
  CHECK(sets(w) == Lines{"1 image:1 0"});
  w.pass(seconds(60));
  CHECK(sets(w) == Lines{"1 image:1 0", "2 image:2 2"});
}

TEST_CASE("old sets beyond revisionHistoryLimit are deleted") {
  ClusterWorld w;
  w.create_set("Deployment", "web", 1, {{"revisionHistoryLimit", 1}});
  w.pass(seconds(5));
  for (const char* image : {"image:2", "image:3", "image:4"}) {
    set_image(w, image);
    w.pass(seconds(20));
  }
  CHECK(sets(w) == Lines{"3 image:3 0", "4 image:4 1"});
}
