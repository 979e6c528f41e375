// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/managed_fields.h"

#include <doctest/doctest.h>

using namespace kinf::sandbox;

namespace {

Json parsed(const char* text) { return *parse_json(text); }

/// `manager fieldsV1` for each entry.
std::vector<std::string> owners(const Json& object) {
  std::vector<std::string> lines;
  for (const Json& entry : elements(field(object, "metadata", "managedFields"))) {
    std::string line = text(entry["manager"]);
    const std::string part = text(field(entry, "subresource"));
    if (!part.empty()) line += "/" + part;
    lines.push_back(line + " " + to_text(entry["fieldsV1"]));
  }
  return lines;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("the creator owns the fields of a new object") {
  Json object =
      parsed(R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"web","labels":{"a":"b"}},
    "spec":{"containers":[{"name":"c","image":"i"}],"args":["x"]}})");
  record_manager(Json::object(), object, {"kubectl-run"}, "T1");
  CHECK(owners(object) ==
        Lines{R"(kubectl-run {"f:metadata":{"f:labels":{"f:a":{},".":{}}},)"
              R"("f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{"f:name":{},"f:image":{},".":{}},)"
              R"(".":{}},"f:args":{}}})"});
  CHECK(object["metadata"]["managedFields"][0]["time"] == "T1");
  CHECK(object["metadata"]["managedFields"][0]["apiVersion"] == "v1");
}

TEST_CASE("who changes a field takes it over, and who removes one ends its ownership") {
  Json first = parsed(R"({"metadata":{"labels":{"a":"1","b":"2"}},"spec":{"replicas":1}})");
  record_manager(Json::object(), first, {"one"}, "T1");
  Json second = first;
  second["spec"]["replicas"] = 2;
  second["metadata"]["labels"].erase("b");
  record_manager(first, second, {"two"}, "T2");
  CHECK(owners(second) == Lines{R"(one {"f:metadata":{"f:labels":{"f:a":{},".":{}}}})",
                                R"(two {"f:spec":{"f:replicas":{}}})"});
  Json third = second;
  third["status"]["phase"] = "Running";
  record_manager(second, third, {.name = "two", .subresource = "status"}, "T3");
  CHECK(owners(third).back() == R"(two/status {"f:status":{"f:phase":{}}})");
  CHECK(owners(third).size() == 3);
}

TEST_CASE("a write without changes, or without a name, records nothing") {
  Json before = parsed(R"({"metadata":{"labels":{"a":"1"}}})");
  record_manager(Json::object(), before, {"one"}, "T1");
  Json after = before;
  after["metadata"].erase("managedFields");  // clients may leave it out
  after["metadata"]["resourceVersion"] = "7";
  record_manager(before, after, {"two"}, "T2");
  CHECK(owners(after) == owners(before));
  after["metadata"]["labels"]["a"] = "2";
  record_manager(before, after, {""}, "T2");
  CHECK(owners(after) == owners(before));
}

TEST_CASE("elements of conditions belong to those who write them") {
  Json before = parsed(R"({"status":{"conditions":[{"type":"A","status":"True"}]}})");
  record_manager(Json::object(), before, {"one"}, "T1");
  Json after = before;
  after["status"]["conditions"].push_back({{"type", "B"}, {"status", "True"}});
  record_manager(before, after, {"two"}, "T2");
  CHECK(
      owners(after).back() ==
      R"(two {"f:status":{"f:conditions":{"k:{\"type\":\"B\"}":{"f:type":{},"f:status":{},".":{}}}}})");
  after["metadata"]["managedFields"][0]["fieldsV1"] = "damaged";
  Json next = after;
  next["status"]["conditions"][0]["status"] = "False";
  record_manager(after, next, {"three"}, "T3");
  CHECK(owners(next).size() == 2);
}

TEST_CASE("the items of more lists have owners, by all members of their keys") {
  Json before = parsed(R"({"kind":"Pod","metadata":{"finalizers":["a"]},"spec":{
    "containers":[{"name":"c","ports":[{"containerPort":53,"protocol":"UDP"}]}],
    "imagePullSecrets":[{"name":"one"}]}})");
  record_manager(Json::object(), before, {"one"}, "T1");
  Json after = before;
  after["metadata"]["finalizers"].push_back("b");
  after["spec"]["containers"][0]["ports"].push_back({{"containerPort", 53}});
  after["spec"]["imagePullSecrets"].push_back({{"name", "two"}});
  record_manager(before, after, {"two"}, "T2");
  CHECK(owners(after).front() == owners(before).front());
  CHECK(owners(after).back() ==
        R"(two {"f:metadata":{"f:finalizers":{"v:\"b\"":{}}},"f:spec":{"f:containers":{)"
        R"("k:{\"name\":\"c\"}":{"f:ports":{"k:{\"containerPort\":53,\"protocol\":\"TCP\"}":{)"
        R"("f:containerPort":{},".":{}}}}},"f:imagePullSecrets":{"k:{\"name\":\"two\"}":{)"
        R"("f:name":{},".":{}}}}})");
}

TEST_CASE("the addresses of the host and the conditions of a job have one owner") {
  for (const char* text : {R"({"kind":"Pod","status":{"hostIPs":[{"ip":"10.0.0.1"}]}})",
                           R"({"kind":"Job","status":{"conditions":[{"type":"Complete"}]}})"}) {
    Json object = parsed(text);
    record_manager(Json::object(), object, {"one"}, "T1");
    const Json& fields = object["metadata"]["managedFields"][0]["fieldsV1"]["f:status"];
    CHECK(fields.begin()->empty());
  }
}

TEST_CASE("W2: a label that is removed belongs to nobody, and the times of all entries stay") {
  Json before = parsed(R"({"metadata":{"labels":{"a":"1","b":"2"}}})");
  record_manager(Json::object(), before, {"one"}, "T1");
  Json after = before;
  after["metadata"]["labels"].erase("b");
  record_manager(before, after, {"two"}, "T2");
  CHECK(owners(after) == Lines{R"(one {"f:metadata":{"f:labels":{"f:a":{},".":{}}}})"});
  CHECK(after["metadata"]["managedFields"][0]["time"] == "T1");
}

TEST_CASE("an item that is removed belongs to nobody, and its remover gets nothing") {
  Json before = parsed(R"({"metadata":{"finalizers":["a","b"]},"spec":{"ports":[{"port":1}]}})");
  record_manager(Json::object(), before, {"one"}, "T1");
  Json after = before;
  after["metadata"]["finalizers"] = {"b"};
  record_manager(before, after, {"two"}, "T2");
  CHECK(owners(after) ==
        Lines{R"(one {"f:metadata":{"f:finalizers":{"v:\"b\"":{},".":{}}},"f:spec":{"f:ports":)"
              R"({"k:{\"port\":1,\"protocol\":\"TCP\"}":{"f:port":{},".":{}},".":{}}}})"});
}
