// SPDX-License-Identifier: Apache-2.0
#include "unit/sandbox/controllers/cluster_world.h"

using namespace kinf::sandbox;
using std::chrono::seconds;

namespace {

Json config_map(const std::string& name, std::vector<Json> owners) {
  return {{"apiVersion", "v1"},
          {"kind", "ConfigMap"},
          {"metadata", {{"name", name}, {"ownerReferences", std::move(owners)}}}};
}
Json reference(const StoredPtr& owner) {
  return {{"apiVersion", "v1"},
          {"kind", "ConfigMap"},
          {"name", owner->key.name},
          {"uid", uid_of(owner->json)}};
}
/// Has the Deployment "web" with two pods that run.
struct RunningWeb : ClusterWorld {
  RunningWeb() {
    create_set("Deployment", "web", 2);
    pass(seconds(5));
  }
};

}  // namespace

TEST_CASE("deleting an owner deletes its dependents in the background") {
  RunningWeb w;
  w.remove("deployments.apps", "web");
  CHECK(w.all("deployments.apps").empty());
  CHECK(w.all("replicasets.apps").empty());
  w.pass(seconds(5));
  CHECK(w.all("pods").empty());
}

TEST_CASE("foreground deletion removes the owner last") {
  RunningWeb w;
  w.remove("deployments.apps", "web", with(Propagation::foreground));
  REQUIRE(w.all("deployments.apps").size() == 1);
  REQUIRE(w.all("replicasets.apps").size() == 1);
  CHECK(w.all("replicasets.apps").front()["metadata"]["finalizers"] ==
        Json::array({"foregroundDeletion"}));
  w.pass(seconds(5));
  CHECK(w.all("pods").empty());
  CHECK(w.all("replicasets.apps").empty());
  CHECK(w.all("deployments.apps").empty());
}

TEST_CASE("orphaned dependents stay, without their owner") {
  RunningWeb w;
  w.remove("deployments.apps", "web", with(Propagation::orphan));
  w.pass(seconds(5));
  CHECK(w.all("deployments.apps").empty());
  REQUIRE(w.all("replicasets.apps").size() == 1);
  CHECK_FALSE(w.all("replicasets.apps").front()["metadata"].contains("ownerReferences"));
  CHECK(w.all("pods").size() == 2);
  // A new Deployment with the same selector adopts the set.
  w.create_set("Deployment", "web", 2);
  w.pass(seconds(5));
  CHECK(w.all("replicasets.apps").size() == 1);
  CHECK(controller_reference(w.all("replicasets.apps").front())["name"] == "web");
}

TEST_CASE("an object with another owner stays and loses only the reference") {
  ClusterWorld w;
  const StoredPtr one = w.create(config_map("one", {}));
  const StoredPtr two = w.create(config_map("two", {}));
  w.create(config_map("both", {reference(one), reference(two)}));
  w.remove("configmaps", "one");
  REQUIRE(w.get("configmaps", "both")["metadata"]["ownerReferences"].size() == 1);
  w.remove("configmaps", "two");
  CHECK(w.get("configmaps", "both").is_null());
}

TEST_CASE("objects with an owner that was never there stay") {
  ClusterWorld w;
  w.create(config_map("loaded", {Json{{"kind", "ConfigMap"}, {"name", "x"}, {"uid", "u"}}}));
  w.pass(seconds(60));
  CHECK_FALSE(w.get("configmaps", "loaded").is_null());
}

TEST_CASE("an object that is created for an owner that was just deleted goes, too") {
  ClusterWorld w;
  const StoredPtr owner = w.create(config_map("owner", {}));
  w.remove("configmaps", "owner");
  w.create(config_map("late", {reference(owner)}));
  CHECK(w.get("configmaps", "late").is_null());
}

TEST_CASE("the dependents of a scenario stay") {
  ClusterWorld w(1, {.is_scripted = [](const ObjectId& id, const std::string&) {
                   return id.second.name == "scripted";
                 }});
  const StoredPtr owner = w.create(config_map("owner", {}));
  w.create(config_map("scripted", {reference(owner)}));
  w.remove("configmaps", "owner");
  CHECK_FALSE(w.get("configmaps", "scripted").is_null());
}
