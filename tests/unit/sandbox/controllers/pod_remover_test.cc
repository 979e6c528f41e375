// SPDX-License-Identifier: Apache-2.0
#include "unit/sandbox/controllers/cluster_world.h"

using namespace kinf::sandbox;
using std::chrono::seconds;

TEST_CASE("without controllers a deleted pod ends, any other stays") {
  ClusterWorld w(1, {.enabled = false});
  w.create(w.pod("stays", {{"nodeName", "n1"}}));
  w.create(w.pod("goes", {{"nodeName", "n1"}}));
  w.create(w.pod("new"));
  w.remove("pods", "goes");
  w.pass(seconds(1));
  CHECK_FALSE(w.pod_named("goes").is_null());
  w.pass(seconds(1));
  CHECK(w.pod_named("goes").is_null());
  CHECK_FALSE(w.pod_named("stays").is_null());
  CHECK(text(field(w.pod_named("new"), "spec", "nodeName")).empty());
}

TEST_CASE("a deleted pod that a scenario removes later stays until then") {
  ClusterWorld w(1, {.enabled = false, .is_removed_later = [](const ObjectId& id) {
                       return id.second.name == "told";
                     }});
  for (const char* name : {"told", "other"}) {
    w.create(w.pod(name, {{"nodeName", "n1"}}));
    w.remove("pods", name);
  }
  w.pass(seconds(60));
  CHECK_FALSE(w.pod_named("told").is_null());
  CHECK(w.pod_named("other").is_null());
}

TEST_CASE("a pod with a finalizer is removed when the finalizer is") {
  ClusterWorld w(0);
  Json pod = w.pod("held", {{"nodeName", "n1"}});
  pod["metadata"]["finalizers"] = {"x.test/hold"};
  w.create(pod);
  w.remove("pods", "held");
  w.pass(seconds(3));
  // It has ended once nothing but the finalizer holds it.
  CHECK(w.pod_named("held")["metadata"]["deletionGracePeriodSeconds"] == 0);
  w.change("pods", "held", [](Json& current) { current["metadata"].erase("finalizers"); });
  CHECK(w.pod_named("held").is_null());
}
