// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/object_service.h"

#include <doctest/doctest.h>

#include <regex>

#include "unit/sandbox/api/api_world.h"

namespace kinf::sandbox {
namespace {

struct ServiceWorld : ApiWorld {
  ApiResult<StoredPtr> create(const char* api_version, const char* kind, Json object,
                              bool dry_run = false) {
    return objects.create(type(api_version, kind), "default", std::move(object), dry_run);
  }
  ApiResult<StoredPtr> merge(const char* api_version, const char* kind, const std::string& name,
                             const Json& patch, Part part = Part::whole) {
    const auto edit = [&](const Json& current) -> ApiResult<Json> {
      Json result = current;
      apply_merge_patch(result, patch);
      return result;
    };
    return objects.modify(type(api_version, kind), {"default", name}, part, edit, false);
  }
};

TEST_CASE("a created object gets what only the server sets, whatever the client claims") {
  ServiceWorld w;
  const auto made = w.create("v1", "ConfigMap",
                             {{"metadata",
                               {{"name", "a"},
                                {"uid", "mine"},
                                {"creationTimestamp", "1999-01-01T00:00:00Z"},
                                {"deletionTimestamp", "1999-01-01T00:00:00Z"},
                                {"selfLink", "/x"}}}});
  REQUIRE(made.has_value());
  const Json& json = (*made)->json;
  CHECK(std::regex_match(text(field(json, "metadata", "uid")),
                         std::regex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-"
                                    "[0-9a-f]{12}")));
  CHECK(json["metadata"]["creationTimestamp"] == "2026-11-21T10:14:00Z");
  CHECK(json["metadata"]["namespace"] == "default");
  CHECK(json["metadata"]["resourceVersion"] == std::to_string((*made)->version));
  CHECK_FALSE(json["metadata"].contains("deletionTimestamp"));
  CHECK_FALSE(json["metadata"].contains("selfLink"));
  CHECK((*made)->text.starts_with(R"({"kind":"ConfigMap","apiVersion":"v1","metadata":)"));
}

TEST_CASE("a generated name is the prefix and five letters, and differs each time") {
  ServiceWorld w;
  const auto first = w.create("v1", "ConfigMap", {{"metadata", {{"generateName", "job-"}}}});
  const auto second = w.create("v1", "ConfigMap", {{"metadata", {{"generateName", "job-"}}}});
  REQUIRE(first.has_value());
  CHECK(std::regex_match((*first)->key.name, std::regex("job-[b-z2-9]{5}")));
  CHECK((*first)->key.name != (*second)->key.name);
}

TEST_CASE("objects that cannot be created are refused with the reason") {
  ServiceWorld w;
  w.add("v1", "ConfigMap", "taken");
  struct Case {
    Json object;
    int code;
    const char* says;
  };
  for (const Case& each : std::vector<Case>{
           {Json("text"), 400, "the body is not an object"},
           {Json::object(), 422, "name or generateName is required"},
           {{{"metadata", {{"name", "No"}}}}, 422, "Invalid value: \"No\": a lowercase RFC 1123"},
           {{{"metadata", {{"name", "taken"}}}}, 409, "configmaps \"taken\" already exists"},
           {{{"kind", "Pod"}, {"metadata", {{"name", "a"}}}},
            400,
            "the kind in the data (Pod) does not match the expected kind (ConfigMap)"},
           {{{"apiVersion", "v2"}, {"metadata", {{"name", "a"}}}},
            400,
            "the API version in the data (v2)"},
           {{{"metadata", {{"name", "a"}, {"namespace", "other"}}}},
            400,
            "does not match the namespace sent on the request"},
           {{{"metadata", {{"name", "a"}, {"resourceVersion", "5"}}}},
            400,
            "resourceVersion should not be set"},
       }) {
    const auto made = w.create("v1", "ConfigMap", each.object);
    REQUIRE_FALSE(made.has_value());
    CHECK(made.error().code == each.code);
    CHECK_MESSAGE(made.error().message.find(each.says) != std::string::npos, made.error().message);
  }
  CHECK(w.objects.create(w.type("v1", "Pod"), "absent", {{"metadata", {{"name", "a"}}}}, false)
            .error()
            .message == "namespaces \"absent\" not found");
}

TEST_CASE("a dry run changes nothing") {
  ServiceWorld w;
  const std::uint64_t before = w.store.version();
  const auto made = w.create("v1", "ConfigMap", {{"metadata", {{"name", "a"}}}}, true);
  REQUIRE(made.has_value());
  CHECK_FALSE((*made)->json["metadata"].contains("resourceVersion"));
  CHECK(w.objects.get(w.type("v1", "ConfigMap"), {"default", "a"}).error().code == 404);
  w.add("v1", "ConfigMap", "b");
  const std::uint64_t after = w.store.version();
  const auto replaced =
      w.objects.replace(w.type("v1", "ConfigMap"), {"default", "b"}, Part::whole,
                        {{"metadata", {{"name", "b"}}}, {"data", {{"k", "v"}}}}, true);
  REQUIRE(replaced.has_value());
  CHECK((*replaced)->json["data"]["k"] == "v");
  CHECK(w.store.version() == after);
  CHECK(after == before + 1);
}

TEST_CASE("a loaded object keeps its status and its times, unlike a created one") {
  ServiceWorld w;
  const StoredPtr pod =
      w.add("v1", "Pod", "old",
            {{"metadata", {{"creationTimestamp", "2020-01-01T00:00:00Z"}, {"uid", "u1"}}},
             {"status", {{"phase", "Running"}}}});
  CHECK(pod->json["metadata"]["creationTimestamp"] == "2020-01-01T00:00:00Z");
  CHECK(pod->json["metadata"]["uid"] == "u1");
  CHECK(pod->json["metadata"]["namespace"] == "default");
  CHECK(pod->json["status"]["phase"] == "Running");
  CHECK(w.objects.load(ApiWorld::named("v1", "Gadget", "g")).error().code == 404);
}

TEST_CASE("a write changes the part that it is about") {
  ServiceWorld w;
  w.add("apps/v1", "Deployment", "d", {{"status", {{"replicas", 1}}}});
  const auto spec = w.merge("apps/v1", "Deployment", "d",
                            {{"spec", {{"replicas", 3}}}, {"status", {{"replicas", 9}}}});
  REQUIRE(spec.has_value());
  CHECK((*spec)->json["spec"]["replicas"] == 3);
  CHECK((*spec)->json["status"]["replicas"] == 1);
  const auto status =
      w.merge("apps/v1", "Deployment", "d",
              {{"spec", {{"replicas", 7}}}, {"status", {{"replicas", 3}}}}, Part::status);
  CHECK((*status)->json["spec"]["replicas"] == 3);
  CHECK((*status)->json["status"]["replicas"] == 3);
  const auto both =
      w.merge("apps/v1", "Deployment", "d",
              {{"spec", {{"replicas", 4}}}, {"status", {{"replicas", 4}}}}, Part::everything);
  CHECK((*both)->json["spec"]["replicas"] == 4);
  CHECK((*both)->json["status"]["replicas"] == 4);
}

TEST_CASE("the generation counts changes of the spec and nothing else") {
  ServiceWorld w;
  w.add("apps/v1", "Deployment", "d");
  const auto generation = [&](const Json& patch, Part part = Part::whole) {
    return (*w.merge("apps/v1", "Deployment", "d", patch, part))->json["metadata"]["generation"];
  };
  CHECK(generation({{"metadata", {{"labels", {{"a", "b"}}}}}}) == 1);
  CHECK(generation({{"spec", {{"replicas", 2}}}}) == 2);
  CHECK(generation({{"status", {{"replicas", 2}}}}, Part::status) == 2);
}

TEST_CASE("the generation of a pod does not count its binding to a node") {
  ServiceWorld w;
  w.add("v1", "Pod", "p");
  const auto bound = w.merge("v1", "Pod", "p", {{"spec", {{"nodeName", "n"}}}}, Part::everything);
  CHECK((*bound)->json["metadata"]["generation"] == 1);
}

TEST_CASE("a write that changes nothing keeps the version; system metadata cannot be changed") {
  ServiceWorld w;
  const StoredPtr before = w.add("v1", "ConfigMap", "a", {{"data", {{"k", "v"}}}});
  CHECK(*w.merge("v1", "ConfigMap", "a", {{"data", {{"k", "v"}}}}) == before);
  const auto after = w.merge("v1", "ConfigMap", "a",
                             {{"metadata", {{"uid", "other"}, {"name", "b"}}}, {"kind", "Pod"}});
  REQUIRE(after.has_value());
  CHECK(*after == before);
}

TEST_CASE("a replacement is checked against the name, the uid and the version it was based on") {
  ServiceWorld w;
  const StoredPtr old = w.add("v1", "ConfigMap", "a");
  const auto replace = [&](const Json& metadata) {
    return w.objects.replace(w.type("v1", "ConfigMap"), {"default", "a"}, Part::whole,
                             {{"metadata", metadata}, {"data", {{"k", metadata.dump()}}}}, false);
  };
  CHECK(replace({{"name", "b"}}).error().code == 400);
  const auto other_uid = replace({{"name", "a"}, {"uid", "x"}});
  CHECK(other_uid.error().code == 409);
  CHECK(other_uid.error().message.find("UID in precondition: x") != std::string::npos);
  const std::string version = text(field(old->json, "metadata", "resourceVersion"));
  CHECK(replace({{"name", "a"}, {"resourceVersion", version}}).has_value());
  CHECK(replace({{"name", "a"}, {"resourceVersion", version}}).error().reason == "Conflict");
  CHECK(replace({{"name", "a"}}).has_value());
  CHECK(w.objects
            .replace(w.type("v1", "ConfigMap"), {"default", "absent"}, Part::whole,
                     {{"metadata", {{"name", "absent"}}}}, false)
            .error()
            .code == 404);
}

TEST_CASE("an edit is repeated on the new state if the object changes meanwhile") {
  ServiceWorld w;
  w.add("v1", "ConfigMap", "a", {{"data", {{"count", "0"}}}});
  int calls = 0;
  const auto edit = [&](const Json& current) -> ApiResult<Json> {
    if (++calls == 1) REQUIRE(w.merge("v1", "ConfigMap", "a", {{"data", {{"other", "1"}}}}));
    Json result = current;
    result["data"]["count"] = "1";
    return result;
  };
  const auto done =
      w.objects.modify(w.type("v1", "ConfigMap"), {"default", "a"}, Part::whole, edit, false);
  REQUIRE(done.has_value());
  CHECK(calls == 2);
  CHECK((*done)->json["data"] == Json{{"count", "1"}, {"other", "1"}});
}

TEST_CASE("an edit gives up if the object changes each time") {
  ServiceWorld w;
  w.add("v1", "ConfigMap", "a");
  int calls = 0;
  const auto edit = [&](const Json& current) -> ApiResult<Json> {
    REQUIRE(w.merge("v1", "ConfigMap", "a", {{"data", {{"n", std::to_string(++calls)}}}}));
    Json result = current;
    result["data"]["x"] = "y";
    return result;
  };
  CHECK(w.objects.modify(w.type("v1", "ConfigMap"), {"default", "a"}, Part::whole, edit, false)
            .error()
            .reason == "Conflict");
  CHECK(calls == 5);
}

TEST_CASE("uids after a restart differ from those before it") {
  ServiceWorld first;
  ServiceWorld second;
  second.objects.reseed(100);
  const auto uid = [](const StoredPtr& object) { return object->json["metadata"]["uid"]; };
  CHECK(uid(first.add("v1", "ConfigMap", "a")) != uid(second.add("v1", "ConfigMap", "a")));
  ServiceWorld again;
  CHECK(uid(again.add("v1", "ConfigMap", "a")) ==
        uid(*first.objects.get(first.type("v1", "ConfigMap"), {"default", "a"})));
}

}  // namespace
}  // namespace kinf::sandbox
