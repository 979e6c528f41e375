// SPDX-License-Identifier: Apache-2.0
#include "unit/sandbox/controllers/cluster_world.h"

using namespace kinf;
using namespace kinf::sandbox;
using std::chrono::seconds;

namespace {

constexpr const char* kStatefulType = "statefulsets.apps";
using Lines = std::vector<std::string>;

Json stateful_status(const ClusterWorld& w) { return w.get(kStatefulType, "db")["status"]; }
/// `NAME IMAGE` of each pod.
Lines members(const ClusterWorld& w) {
  Lines lines;
  for (const Json& pod : w.all("pods")) {
    lines.push_back(text(pod["metadata"]["name"]) + " " +
                    text(pod["spec"]["containers"][0]["image"]));
  }
  return lines;
}
void change_set(ClusterWorld& w, const std::function<void(Json& spec)>& edit) {
  w.change(kStatefulType, "db", [&](Json& set) { edit(set["spec"]); });
}
void set_stateful_image(ClusterWorld& w, const char* image) {
  change_set(w, [&](Json& spec) { spec["template"]["spec"]["containers"][0]["image"] = image; });
}
/// The names of the pods in the order of an Event's messages, such as `db-0 db-1`.
std::string order_of(const ClusterWorld& w, const std::string& verb) {
  std::vector<std::pair<std::string, std::string>> found;
  for (const Json& event : w.all("events")) {
    const std::string message = text(event["message"]);
    const std::string start = verb + " Pod ";
    if (!message.starts_with(start)) continue;
    const std::string rest = message.substr(start.size());
    found.emplace_back(text(event["metadata"]["name"]), rest.substr(0, rest.find(' ')));
  }
  std::ranges::sort(found);
  std::string order;
  for (const auto& [name, pod] : found) order += (order.empty() ? "" : " ") + pod;
  return order;
}

}  // namespace

TEST_CASE(
    "a StatefulSet creates each pod after the one before is ready, and deletes the last first") {
  ClusterWorld w;
  w.create_set("StatefulSet", "db", 3);
  CHECK(members(w) == Lines{"db-0 image:1"});
  for (int i = 0; i < 200; ++i) {
    w.pass(std::chrono::milliseconds(100));
    CHECK(std::ranges::count_if(w.all("pods"), is_ready_pod) + 1 >= std::ssize(w.all("pods")));
  }
  CHECK(members(w) == Lines{"db-0 image:1", "db-1 image:1", "db-2 image:1"});
  CHECK(stateful_status(w)["availableReplicas"] == 3);
  CHECK(stateful_status(w)["currentRevision"] == stateful_status(w)["updateRevision"]);
  CHECK(order_of(w, "Create") == "db-0 db-1 db-2");
  change_set(w, [](Json& spec) { spec["replicas"] = 1; });
  w.pass(seconds(100));
  CHECK(members(w) == Lines{"db-0 image:1"});
  CHECK(order_of(w, "Delete") == "db-2 db-1");
  CHECK(stateful_status(w)["replicas"] == 1);
}

TEST_CASE("Parallel creates and deletes all pods at once") {
  ClusterWorld w;
  w.create_set("StatefulSet", "db", 3, {{"podManagementPolicy", "Parallel"}});
  CHECK(w.all("pods").size() == 3);
  w.pass(seconds(5));
  change_set(w, [](Json& spec) { spec["replicas"] = 0; });
  CHECK(std::ranges::count_if(w.all("pods"), is_active_pod) == 0);
  w.pass(seconds(60));
  CHECK(members(w).empty());
}

TEST_CASE("an update replaces one pod after the other, from the last to the first") {
  ClusterWorld w;
  w.create_set("StatefulSet", "db", 3);
  w.pass(seconds(30));
  set_stateful_image(w, "image:2");
  CHECK(stateful_status(w)["currentReplicas"] == 2);
  for (int i = 0; i < 1200; ++i) {
    w.pass(std::chrono::milliseconds(100));
    CHECK(std::ranges::count_if(w.all("pods"), is_ready_pod) >= 2);
  }
  CHECK(members(w) == Lines{"db-0 image:2", "db-1 image:2", "db-2 image:2"});
  CHECK(order_of(w, "Delete").starts_with("db-2 db-1 db-0"));
  CHECK(stateful_status(w)["updatedReplicas"] == 3);
  CHECK(stateful_status(w)["currentRevision"] == stateful_status(w)["updateRevision"]);
}

TEST_CASE("pods below the partition keep the previous template, even if they are created again") {
  ClusterWorld w;
  w.create_set(
      "StatefulSet", "db", 2,
      {{"updateStrategy", {{"type", "RollingUpdate"}, {"rollingUpdate", {{"partition", 1}}}}}});
  w.pass(seconds(30));
  set_stateful_image(w, "image:2");
  w.pass(seconds(100));
  CHECK(members(w) == Lines{"db-0 image:1", "db-1 image:2"});
  CHECK(stateful_status(w)["currentRevision"] != stateful_status(w)["updateRevision"]);
  w.remove("pods", "db-0");
  w.pass(seconds(100));
  CHECK(members(w) == Lines{"db-0 image:1", "db-1 image:2"});
}

TEST_CASE("a pod that has ended is created again under its name") {
  ClusterWorld w;
  w.create_set("StatefulSet", "db", 1);
  w.pass(seconds(5));
  const Json before = w.pod_named("db-0");
  w.change("pods", "db-0", [](Json& pod) { pod["status"]["phase"] = "Failed"; });
  w.pass(seconds(60));
  CHECK(w.pod_named("db-0")["metadata"]["uid"] != before["metadata"]["uid"]);
  CHECK(is_ready_pod(w.pod_named("db-0")));
}

TEST_CASE("claims are created before the pods, and stay when the pods go") {
  ClusterWorld w;
  const Json claim = {{"metadata", {{"name", "data"}}},
                      {"spec", {{"accessModes", {"ReadWriteOnce"}}}}};
  w.create_set("StatefulSet", "db", 2, {{"volumeClaimTemplates", Json::array({claim})}});
  w.pass(seconds(30));
  CHECK(w.all("persistentvolumeclaims").size() == 2);
  CHECK(w.get("persistentvolumeclaims", "data-db-1")["metadata"]["labels"]["app"] == "db");
  w.remove(kStatefulType, "db", with(Propagation::background));
  w.pass(seconds(60));
  CHECK(members(w).empty());
  CHECK(w.all("persistentvolumeclaims").size() == 2);
  CHECK(w.all("controllerrevisions.apps").empty());
}

TEST_CASE("numbers may start elsewhere") {
  ClusterWorld w;
  w.create_set("StatefulSet", "db", 2, {{"ordinals", {{"start", 5}}}});
  w.pass(seconds(30));
  CHECK(members(w) == Lines{"db-5 image:1", "db-6 image:1"});
}

TEST_CASE("a StatefulSet that is being deleted still counts its pods") {
  ClusterWorld w;
  w.create_set("StatefulSet", "db", 2);
  w.pass(seconds(30));
  const std::string revision = text(stateful_status(w)["currentRevision"]);
  CHECK(w.all("controllerrevisions.apps")
            .front()["metadata"]["labels"]
            .contains("controller.kubernetes.io/hash"));
  w.remove(kStatefulType, "db", with(Propagation::foreground));
  CHECK(w.all("controllerrevisions.apps").empty());
  CHECK(stateful_status(w)["replicas"] == 2);
  CHECK_FALSE(stateful_status(w).contains("currentReplicas"));
  CHECK(stateful_status(w)["currentRevision"] == revision);
  DeleteOptions at_once;
  at_once.grace_seconds = 0;
  w.remove("pods", "db-1", at_once);
  CHECK(stateful_status(w)["replicas"] == 1);
}
