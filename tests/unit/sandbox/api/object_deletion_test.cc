// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/object_deletion.h"

#include <doctest/doctest.h>

#include "unit/sandbox/api/api_world.h"

namespace kinf::sandbox {
namespace {

struct World : ApiWorld {
  ApiResult<Deletion> remove(const char* api_version, const char* kind, const std::string& name,
                             const DeleteOptions& options = {}) {
    const ApiType& removed = type(api_version, kind);
    return objects.remove(removed, {removed.namespaced ? "default" : "", name}, options);
  }
  Json find(const char* api_version, const char* kind, const std::string& name) {
    const ApiType& wanted = type(api_version, kind);
    const auto found = objects.get(wanted, {wanted.namespaced ? "default" : "", name});
    return found ? (*found)->json : Json();
  }
  void add_pod_on_node(const std::string& name, const Json& metadata = Json::object()) {
    add("v1", "Pod", name, {{"metadata", metadata}, {"spec", {{"nodeName", "n1"}}}});
  }
};

DeleteOptions with_grace(std::int64_t seconds) {
  DeleteOptions options;
  options.grace_seconds = seconds;
  return options;
}

TEST_CASE("the generation counts the deletion of an object that stays for a while") {
  World w;
  w.add_pod_on_node("p");
  for (int i = 0; i < 2; ++i) {
    REQUIRE(w.remove("v1", "Pod", "p").has_value());
    CHECK(w.find("v1", "Pod", "p")["metadata"]["generation"] == 2);
  }
}

TEST_CASE("most objects are removed at once, and the deletion has its own version") {
  World w;
  const StoredPtr before = w.add("v1", "ConfigMap", "a");
  const auto gone = w.remove("v1", "ConfigMap", "a");
  REQUIRE(gone.has_value());
  CHECK(gone->gone);
  CHECK(gone->object->version > before->version);
  CHECK(w.find("v1", "ConfigMap", "a").is_null());
  CHECK(w.remove("v1", "ConfigMap", "a").error().code == 404);
}

TEST_CASE("a pod on a node gets a deletionTimestamp and stays") {
  World w;
  w.add_pod_on_node("p");
  const auto marked = w.remove("v1", "Pod", "p");
  REQUIRE(marked.has_value());
  CHECK_FALSE(marked->gone);
  const Json metadata = w.find("v1", "Pod", "p")["metadata"];
  CHECK(metadata["deletionTimestamp"] == "2026-11-21T10:14:30Z");
  CHECK(metadata["deletionGracePeriodSeconds"] == 30);
  CHECK(is_deleting(w.find("v1", "Pod", "p")));

  // A longer grace period changes nothing, a shorter one does, and 0 ends it.
  REQUIRE(w.remove("v1", "Pod", "p", with_grace(60)).has_value());
  CHECK(w.find("v1", "Pod", "p")["metadata"]["deletionGracePeriodSeconds"] == 30);
  REQUIRE(w.remove("v1", "Pod", "p", with_grace(5)).has_value());
  CHECK(w.find("v1", "Pod", "p")["metadata"]["deletionGracePeriodSeconds"] == 5);
  CHECK(w.remove("v1", "Pod", "p", with_grace(0))->gone);
}

TEST_CASE("a pod that is not scheduled, or has ended, is removed at once") {
  World w;
  w.add("v1", "Pod", "unscheduled");
  CHECK(w.remove("v1", "Pod", "unscheduled")->gone);
  for (const char* phase : {"Succeeded", "Failed"}) {
    w.add("v1", "Pod", "ended", {{"spec", {{"nodeName", "n1"}}}, {"status", {{"phase", phase}}}});
    CHECK(w.remove("v1", "Pod", "ended")->gone);
  }
}

TEST_CASE("an object with finalizers is removed with the last one") {
  World w;
  w.add("v1", "ConfigMap", "a", {{"metadata", {{"finalizers", {"x.test/1", "x.test/2"}}}}});
  CHECK_FALSE(w.remove("v1", "ConfigMap", "a")->gone);
  CHECK(has_finalizers(w.find("v1", "ConfigMap", "a")));
  const auto keep = [&](const Json& finalizers) {
    const auto edit = [&](const Json& current) -> ApiResult<Json> {
      Json result = current;
      result["metadata"]["finalizers"] = finalizers;
      return result;
    };
    REQUIRE(w.objects.modify(w.type("v1", "ConfigMap"), {"default", "a"}, Part::whole, edit, false)
                .has_value());
  };
  keep(Json::array({"x.test/2"}));
  CHECK(is_deleting(w.find("v1", "ConfigMap", "a")));
  keep(Json::array());
  CHECK(w.find("v1", "ConfigMap", "a").is_null());
}

TEST_CASE("a deletion holds only if its preconditions do") {
  World w;
  const StoredPtr object = w.add("v1", "ConfigMap", "a");
  DeleteOptions options;
  options.uid = "other";
  const auto wrong_uid = w.remove("v1", "ConfigMap", "a", options);
  REQUIRE_FALSE(wrong_uid.has_value());
  CHECK(wrong_uid.error().code == 409);
  CHECK(wrong_uid.error().message.find("Precondition failed: UID in precondition: other, UID in "
                                       "object meta: ") != std::string::npos);
  options.uid = text(field(object->json, "metadata", "uid"));
  options.resource_version = "1";
  CHECK(w.remove("v1", "ConfigMap", "a", options)
            .error()
            .message.find("ResourceVersion in precondition: 1") != std::string::npos);
  options.resource_version = std::to_string(object->version);
  CHECK(w.remove("v1", "ConfigMap", "a", options)->gone);
}

TEST_CASE("a dry run returns the result and changes nothing") {
  World w;
  w.add("v1", "ConfigMap", "a");
  w.add_pod_on_node("p");
  const std::uint64_t before = w.store.version();
  DeleteOptions options;
  options.dry_run = true;
  CHECK(w.remove("v1", "ConfigMap", "a", options)->gone);
  CHECK_FALSE(w.remove("v1", "Pod", "p", options)->gone);
  CHECK(w.store.version() == before);
}

TEST_CASE("a namespace deletes its contents, also pods and objects with finalizers") {
  World w;
  REQUIRE(w.objects.load(ApiWorld::named("v1", "Namespace", "shop")).has_value());
  for (const char* kind : {"Pod", "ConfigMap"}) {
    w.add("v1", kind, "in",
          {{"metadata", {{"namespace", "shop"}, {"finalizers", {"x.test/1"}}}},
           {"spec", {{"nodeName", "n1"}}}});
  }
  w.add("v1", "ConfigMap", "out");
  CHECK(w.remove("v1", "Namespace", "shop")->gone);
  CHECK(w.store.get("pods", {"shop", "in"}) == nullptr);
  CHECK(w.store.get("configmaps", {"shop", "in"}) == nullptr);
  CHECK_FALSE(w.find("v1", "ConfigMap", "out").is_null());
}

TEST_CASE("a namespace that is being deleted accepts no new objects") {
  World w;
  w.add("v1", "Namespace", "shop", {{"metadata", {{"finalizers", {"x.test/1"}}}}});
  CHECK_FALSE(w.remove("v1", "Namespace", "shop")->gone);
  CHECK(w.find("v1", "Namespace", "shop")["status"]["phase"] == "Terminating");
  const auto refused =
      w.objects.create(w.type("v1", "Pod"), "shop", {{"metadata", {{"name", "a"}}}}, false);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().code == 403);
  CHECK(refused.error().causes[0].reason == "NamespaceTerminating");
}

TEST_CASE("a definition deletes its objects and its type") {
  World w;
  REQUIRE(w.objects.load(widget_definition()).has_value());
  w.add("example.com/v1", "Widget", "w");
  const std::uint64_t rounds = w.store.bookmark_rounds();
  CHECK(
      w.remove("apiextensions.k8s.io/v1", "CustomResourceDefinition", "widgets.example.com")->gone);
  CHECK(w.types.find_kind("example.com/v1", "Widget") == nullptr);
  CHECK(w.store.list("widgets.example.com").objects.empty());
  CHECK_MESSAGE(w.store.bookmark_rounds() > rounds, "watches of the type look whether it is there");
}

TEST_CASE("a forced deletion ignores grace periods and finalizers") {
  World w;
  w.add_pod_on_node("p", {{"finalizers", {"x.test/1"}}});
  w.objects.erase(w.type("v1", "Pod"), {"default", "p"});
  CHECK(w.find("v1", "Pod", "p").is_null());
  w.objects.erase(w.type("v1", "Pod"), {"default", "p"});
}

}  // namespace
}  // namespace kinf::sandbox
