// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/kubelet.h"

#include <doctest/doctest.h>

#include "fakes/fake_clock.h"

using kinf::sandbox::DeleteOptions;
using kinf::sandbox::Json;
using std::chrono::seconds;

namespace {

struct Node {
  Node() { node.start(); }
  void add(const std::string& name, Json metadata = Json::object()) {
    metadata["name"] = name;
    REQUIRE(objects
                .load({{"apiVersion", "v1"},
                       {"kind", "Pod"},
                       {"metadata", metadata},
                       {"spec", {{"nodeName", "n1"}}}})
                .has_value());
  }
  void remove(const std::string& name, std::int64_t grace = 30) {
    DeleteOptions options;
    options.grace_seconds = grace;
    REQUIRE(objects.remove(*pods, {"default", name}, options).has_value());
  }
  bool has(const std::string& name) const {
    return store.get("pods", {"default", name}) != nullptr;
  }
  /// Goes on until the pod is gone; a test that hangs here has failed.
  void pass_until_gone(const std::string& name) {
    while (has(name)) {
      clock.advance(seconds(1));
      std::this_thread::yield();
    }
  }

  kinf::test::FakeClock clock;
  kinf::sandbox::ApiTypes types;
  kinf::sandbox::ResourceStore store{clock};
  kinf::sandbox::ObjectService objects{store, types, clock, 1};
  kinf::sandbox::ApiTypePtr pods = types.find("", "v1", "pods");
  kinf::sandbox::Kubelet node{store, objects, types, clock, seconds(2)};
};

}  // namespace

TEST_CASE("a deleted pod ends, any other stays") {
  Node n;
  n.add("stays");
  n.add("goes");
  n.remove("goes");
  CHECK(n.has("goes"));
  n.pass_until_gone("goes");
  CHECK(n.has("stays"));
}

TEST_CASE("a pod with a finalizer is removed when the finalizer is") {
  Node n;
  n.add("held", {{"finalizers", Json::array({"x.test/hold"})}});
  n.remove("held");
  const kinf::ObjectKey key{"default", "held"};
  // It has ended once nothing but the finalizer holds it.
  while (n.store.get("pods", key)->json["metadata"]["deletionGracePeriodSeconds"] != 0) {
    n.clock.advance(seconds(1));
    std::this_thread::yield();
  }
  CHECK(n.has("held"));
  REQUIRE(n.objects
              .modify(
                  *n.pods, key, kinf::sandbox::Part::whole,
                  [](Json current) -> kinf::sandbox::ApiResult<Json> {
                    current["metadata"].erase("finalizers");
                    return current;
                  },
                  false)
              .has_value());
  CHECK_FALSE(n.has("held"));
}
