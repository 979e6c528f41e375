// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/patch.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <stop_token>
#include <string>

using namespace kinf::sandbox;

namespace {

Json strategic(const char* target, const char* patch) {
  Json result = Json::parse(target);
  apply_strategic_patch(result, Json::parse(patch));
  return result;
}

}  // namespace

TEST_CASE("a merge patch replaces lists and removes members that are null") {
  Json target = Json::parse(R"({"a":{"b":1,"c":2},"l":[1,2]})");
  apply_merge_patch(target, Json::parse(R"({"a":{"b":null,"d":3},"l":[3]})"));
  CHECK(target == Json::parse(R"({"a":{"c":2,"d":3},"l":[3]})"));
}

TEST_CASE("a strategic patch merges containers by name and conditions by type") {
  CHECK(strategic(R"({"containers":[{"name":"a","image":"1"},{"name":"b","image":"1"}]})",
                  R"({"containers":[{"name":"b","image":"2"},{"name":"c"}]})") ==
        Json::parse(R"({"containers":[{"name":"a","image":"1"},{"name":"b","image":"2"},
                                      {"name":"c"}]})"));
  CHECK(strategic(R"({"conditions":[{"type":"Ready","status":"False"}]})",
                  R"({"conditions":[{"type":"Ready","status":"True"}]})") ==
        Json::parse(R"({"conditions":[{"type":"Ready","status":"True"}]})"));
}

TEST_CASE("a strategic patch replaces lists without a key") {
  CHECK(strategic(R"({"args":["a","b"]})", R"({"args":["c"]})") ==
        Json::parse(R"({"args":["c"]})"));
}

TEST_CASE("a strategic patch merges lists by what is around them") {
  // The ports of containers and services; those of an EndpointSlice are replaced.
  CHECK(
      strategic(R"({"spec":{"containers":[{"name":"a","ports":[{"containerPort":1}]}]}})",
                R"({"spec":{"containers":[{"name":"a","ports":[{"containerPort":2}]}]}})") ==
      Json::parse(
          R"({"spec":{"containers":[{"name":"a","ports":[{"containerPort":1},{"containerPort":2}]}]}})"));
  CHECK(strategic(R"({"spec":{"ports":[{"port":1}]}})",
                  R"({"spec":{"ports":[{"port":1,"name":"x"}]}})") ==
        Json::parse(R"({"spec":{"ports":[{"port":1,"name":"x"}]}})"));
  CHECK(strategic(R"({"ports":[{"port":1}]})", R"({"ports":[{"port":2}]})") ==
        Json::parse(R"({"ports":[{"port":2}]})"));
  // The secrets of a pod; those of a service account are replaced.
  CHECK(strategic(R"({"spec":{"imagePullSecrets":[{"name":"a"}]}})",
                  R"({"spec":{"imagePullSecrets":[{"name":"b"}]}})") ==
        Json::parse(R"({"spec":{"imagePullSecrets":[{"name":"a"},{"name":"b"}]}})"));
  CHECK(strategic(R"({"imagePullSecrets":[{"name":"a"}]})",
                  R"({"imagePullSecrets":[{"name":"b"}]})") ==
        Json::parse(R"({"imagePullSecrets":[{"name":"b"}]})"));
  // The finalizers of any object; those in the spec of a namespace are replaced.
  CHECK(strategic(R"({"metadata":{"finalizers":["a"]},"spec":{"finalizers":["a"]}})",
                  R"({"metadata":{"finalizers":["b"]},"spec":{"finalizers":["b"]}})") ==
        Json::parse(R"({"metadata":{"finalizers":["a","b"]},"spec":{"finalizers":["b"]}})"));
  // The networks of a node.
  CHECK(strategic(R"({"spec":{"podCIDRs":["10.1.0.0/24"]}})",
                  R"({"spec":{"podCIDRs":["fd00::/64"]}})") ==
        Json::parse(R"({"spec":{"podCIDRs":["10.1.0.0/24","fd00::/64"]}})"));
}

TEST_CASE("the directives of a strategic patch are applied and not stored") {
  CHECK(strategic(R"({"containers":[{"name":"a"},{"name":"b"}]})",
                  R"({"containers":[{"$patch":"delete","name":"a"}]})") ==
        Json::parse(R"({"containers":[{"name":"b"}]})"));
  CHECK(strategic(R"({"finalizers":["a","b"]})",
                  R"({"$deleteFromPrimitiveList/finalizers":["a"]})") ==
        Json::parse(R"({"finalizers":["b"]})"));
  CHECK(strategic(R"({"strategy":{"type":"RollingUpdate","rollingUpdate":{"x":1}}})",
                  R"({"strategy":{"$retainKeys":["type"],"type":"Recreate"}})") ==
        Json::parse(R"({"strategy":{"type":"Recreate"}})"));
  CHECK(strategic(R"({"containers":[{"name":"a"},{"name":"b"}]})",
                  R"({"$setElementOrder/containers":[{"name":"b"},{"name":"a"}]})") ==
        Json::parse(R"({"containers":[{"name":"b"},{"name":"a"}]})"));
}

TEST_CASE("a JSON patch that cannot be applied is an error, not a change") {
  const Json target = Json::parse(R"({"a":1})");
  CHECK(*apply_json_patch(target, Json::parse(R"([{"op":"add","path":"/b","value":2}])")) ==
        Json::parse(R"({"a":1,"b":2})"));
  CHECK_FALSE(apply_json_patch(target, Json::parse(R"([{"op":"test","path":"/a","value":2}])")));
  CHECK_FALSE(apply_json_patch(target, Json::parse(R"([{"op":"remove","path":"/c"}])")));
  for (const char* value : {"[]", "null", "\"text\"", "7"}) {
    const auto patch =
        Json::parse(R"([{"op":"replace","path":"","value":)" + std::string(value) + "}]");
    CHECK(apply_json_patch(target, patch).error() == "the result is not an object");
  }
}

TEST_CASE("a patch that grows by copies of copies is refused") {
  Json patch = Json::array();
  for (int i = 0; i < 40; ++i) {
    patch.push_back({{"op", "copy"}, {"from", ""}, {"path", "/x" + std::to_string(i)}});
  }
  CHECK_FALSE(apply_json_patch(Json::parse(R"({"a":"0123456789"})"), patch));
}

TEST_CASE("the values that a patch copies are limited, not the document beside them") {
  const Json target = {{"large", std::string(4 << 20, 'x')}, {"small", "y"}};
  const Json one = {{"op", "copy"}, {"from", "/small"}, {"path", "/copy"}};
  CHECK((*apply_json_patch(target, Json(100, one)))["copy"] == "y");
  const Json large = {{"op", "copy"}, {"from", "/large"}, {"path", "/copy"}};
  CHECK(apply_json_patch(target, Json::array({large})).error() == "the document gets too large");
  const Json absent = {{"op", "copy"}, {"from", "/absent"}, {"path", "/copy"}};
  CHECK_FALSE(apply_json_patch(target, Json::array({absent})));
}

TEST_CASE("a patch ends when it is asked to stop") {
  std::stop_source stop;
  stop.request_stop();
  const Json patch = Json::parse(R"([{"op":"add","path":"/b","value":2}])");
  CHECK(apply_json_patch(Json::object(), patch, stop.get_token()).error() == "the sandbox stops");
  const auto edit =
      parse_patch(ApiType(), "application/json-patch+json", patch.dump(), stop.get_token());
  REQUIRE(edit);
  CHECK((*edit)(Json::object()).error().code == 503);
}

namespace {

Json numbered(int count, const char* key, int step = 1) {
  Json result = Json::array();
  for (int i = 0; i < count; ++i) result.push_back({{key, i * step % count}, {"n", i}});
  return result;
}

/// The positions in `list` of the elements that match a merge key, as the real server finds them.
Json merged_one_by_one(Json list, const Json& patch) {
  for (const Json& element : patch) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const Json& each) {
      return field(each, "name") == field(element, "name");
    });
    const bool deletes = field(element, "$patch") == "delete";
    if (found == list.end()) {
      if (!deletes) list.push_back(element);
    } else if (deletes) {
      list.erase(found);
    } else {
      found->update(element);
    }
  }
  return list;
}

}  // namespace

TEST_CASE("large lists are merged as if their elements were compared one by one") {
  Json list = numbered(300, "name", 7);
  list.push_back({{"name", 5}, {"n", "second"}});
  list.push_back({{"name", 5}, {"n", "third"}});
  Json patch = numbered(400, "name", 3);
  for (int i = 0; i < 3; ++i) patch.push_back({{"$patch", "delete"}, {"name", 5}});
  patch.push_back({{"name", 5.0}, {"n", "again"}});
  patch.push_back({{"name", 5}, {"n", "last"}});
  Json target = {{"containers", list}};
  apply_strategic_patch(target, {{"containers", patch}});
  CHECK(target["containers"] == merged_one_by_one(list, patch));
}

TEST_CASE("an element is found by what a patch makes of its key") {
  CHECK(strategic(R"({"containers":[{"name":{"a":1}},{"name":{}}]})",
                  R"({"containers":[{"name":{"a":1},"$retainKeys":[]},{"name":{"a":1},"b":2}]})") ==
        Json::parse(R"({"containers":[{},{"name":{}},{"name":{"a":1},"b":2}]})"));
  CHECK(strategic(R"({"containers":[{"name":{"a":1}}]})",
                  R"({"containers":[{"name":{"a":1},"$patch":"delete"},{"name":{"a":1}}]})") ==
        Json::parse(R"({"containers":[{"name":{"a":1}}]})"));
}

TEST_CASE("large objects and sets are patched in order") {
  Json target = Json::object();
  Json patch = Json::object();
  std::string expected;
  for (int i = 0; i < 100; ++i) {
    target["k" + std::to_string(i)] = i;
    patch["k" + std::to_string(i)] = i % 2 == 0 ? Json() : Json(-i);
    if (i % 2 != 0) expected += "k" + std::to_string(i) + ",";
  }
  patch["new"] = 1;
  for (const bool is_strategic : {false, true}) {
    Json result = target;
    is_strategic ? apply_strategic_patch(result, patch) : apply_merge_patch(result, patch);
    std::string keys;
    for (const auto& [key, value] : result.items()) keys += key + ",";
    CHECK(keys == expected + "new,");
    CHECK(result["k7"] == -7);
  }
  CHECK(strategic(R"({"finalizers":["a","b"]})", R"({"finalizers":["c","b","c"]})") ==
        Json::parse(R"({"finalizers":["a","b","c"]})"));
  CHECK(strategic(R"({"l":[1,2,1,3.0]})", R"({"$deleteFromPrimitiveList/l":[1,3]})") ==
        Json::parse(R"({"l":[2]})"));
  CHECK(strategic(R"({"l":["x","b","y","a"]})", R"({"$setElementOrder/l":["a","b","c"]})") ==
        Json::parse(R"({"l":["a","b","x","y"]})"));
}

TEST_CASE("a document that is nested too deeply is refused") {
  CHECK_FALSE(parse_json(std::string(100000, '[')));
  CHECK(parse_json(R"({"a":"[[[["})"));
}

namespace {

/// What parse_patch() makes of a body, applied to a ConfigMap; the code of the error otherwise.
std::string patched(const char* media_type, const std::string& body, bool custom = false) {
  ApiType type;
  type.gvr = {"", "v1", "configmaps"};
  type.custom = custom;
  const auto edit = parse_patch(type, std::string("application/") + media_type, body);
  if (!edit) return std::to_string(edit.error().code);
  const auto result =
      (*edit)(Json::parse(R"({"metadata":{"name":"a","resourceVersion":"7"},"data":{"k":"v"}})"));
  return result ? to_text((*result)["data"]) : std::to_string(result.error().code);
}

}  // namespace

TEST_CASE("the media type decides how a patch is applied") {
  CHECK(patched("merge-patch+json", R"({"data":{"k":null,"l":"w"}})") == R"({"l":"w"})");
  CHECK(patched("strategic-merge-patch+json", R"({"data":{"l":"w"}})") == R"({"k":"v","l":"w"})");
  CHECK(patched("json-patch+json", R"([{"op":"replace","path":"/data/k","value":"x"}])") ==
        R"({"k":"x"})");
}

TEST_CASE("a patch that cannot be taken is refused with the code of the real server") {
  CHECK(patched("json", "{}") == "415");
  CHECK(patched("apply-patch+yaml", "{}") == "415");
  CHECK_MESSAGE(patched("strategic-merge-patch+json", "{}", true) == "415", "a custom type");
  CHECK(patched("merge-patch+json", "{}", true) != "415");
  CHECK(patched("merge-patch+json", "[]") == "400");
  CHECK(patched("json-patch+json", "{}") == "400");
  CHECK(patched("merge-patch+json", "{") == "400");
  CHECK(patched("json-patch+json", R"([{"op":"remove","path":"/absent"}])") == "422");
  CHECK(patched("merge-patch+json", R"({"metadata":{"resourceVersion":"6"}})") == "409");
  CHECK(patched("merge-patch+json", R"({"metadata":{"resourceVersion":"7"}})") == R"({"k":"v"})");
  std::string many = "[";
  for (int i = 0; i < 10'001; ++i) many += R"({"op":"test","path":"","value":1},)";
  many.back() = ']';
  CHECK(patched("json-patch+json", many) == "413");
}
