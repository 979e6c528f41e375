// SPDX-License-Identifier: Apache-2.0
#include "unit/sandbox/controllers/cluster_world.h"

using namespace kinf::sandbox;
using std::chrono::seconds;

namespace {

void fill(ClusterWorld& w) {
  w.add({{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", "shop"}}}});
  Json pod = w.pod("web");
  pod["metadata"]["namespace"] = "shop";
  w.add(pod);
  w.add({{"apiVersion", "v1"},
         {"kind", "ConfigMap"},
         {"metadata", {{"name", "settings"}, {"namespace", "shop"}}}});
  w.pass(seconds(5));
}

}  // namespace

TEST_CASE("a deleted namespace goes when its last pod has ended") {
  ClusterWorld w;
  fill(w);
  w.remove("namespaces", "shop");
  const Json ns = w.get("namespaces", "shop", "");
  CHECK(ns["status"]["phase"] == "Terminating");
  CHECK(text(ns["status"]["conditions"][0]["message"]).find("pods. has 1 resource instances") !=
        std::string::npos);
  CHECK(w.get("configmaps", "settings", "shop").is_null());
  CHECK_FALSE(w.get("pods", "web", "shop").is_null());
  const auto created =
      w.objects.create(w.type("configmaps"), "shop", {{"metadata", {{"name", "late"}}}}, false);
  REQUIRE_FALSE(created.has_value());
  CHECK(created.error().code == 403);
  w.pass(seconds(5));
  CHECK(w.get("pods", "web", "shop").is_null());
  CHECK(w.get("namespaces", "shop", "").is_null());
}

TEST_CASE("without controllers a deleted namespace is emptied at once") {
  ClusterWorld w(1, {.enabled = false});
  fill(w);
  w.remove("namespaces", "shop");
  CHECK(w.get("namespaces", "shop", "").is_null());
  CHECK(w.get("configmaps", "settings", "shop").is_null());
}
