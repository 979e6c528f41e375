// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/object_mirror.h"

#include "unit/sandbox/controllers/cluster_world.h"

using namespace kinf::sandbox;

namespace {

Json owned(const std::string& name, const std::string& owner, bool controller) {
  Json pod = ClusterWorld::pod(name);
  pod["metadata"]["ownerReferences"] = {{{"uid", owner}, {"controller", controller}}};
  return pod;
}

}  // namespace

TEST_CASE("the mirror knows the dependents and the controlled objects of an owner") {
  ClusterWorld w;
  ObjectMirror mirror(w.store);
  w.add(owned("a", "u1", true));
  w.add(owned("b", "u1", false));
  w.add(owned("c", "u2", true));
  mirror.sync();
  REQUIRE(mirror.dependents("u1").size() == 2);
  REQUIRE(mirror.controlled("pods", "u1").size() == 1);
  CHECK(mirror.controlled("pods", "u1")[0]->key.name == "a");
  CHECK(mirror.controlled("jobs.batch", "u1").empty());
  const std::string uid = uid_of(w.pod_named("c"));
  CHECK(mirror.find_uid(uid)->key.name == "c");
  w.objects.erase(w.type("pods"), {"default", "c"});
  const auto changes = mirror.sync();
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].now == nullptr);
  CHECK(changes[0].old->key.name == "c");
  CHECK(mirror.dependents("u2").empty());
  CHECK(mirror.find_uid(uid) == nullptr);
  CHECK(mirror.sync().empty());
}

TEST_CASE("a list after a dropped history contains additions, updates and deletions") {
  ClusterWorld w;
  ObjectMirror mirror(w.store);
  w.add(w.pod("stays"));
  w.add(w.pod("goes"));
  mirror.sync();
  w.objects.erase(w.type("pods"), {"default", "goes"});
  w.add(w.pod("comes"));
  w.store.compact();
  std::string seen;
  for (const MirrorChange& change : mirror.sync()) {
    seen += (change.now == nullptr ? "-" : "+") + change.id.second.name + " ";
  }
  CHECK(seen == "+comes -goes ");
}

TEST_CASE("a mirror of one type sees no other") {
  ClusterWorld w;
  ObjectMirror mirror(w.store);
  mirror.restrict_to("pods");
  w.add(w.pod("web"));
  CHECK(mirror.sync().size() == 1);
  CHECK(mirror.all("nodes").empty());
}
